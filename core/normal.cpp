// SPDX-License-Identifier: MIT
#include <cmath>    // std::exp
#include <cstddef>  // std::size_t
#include <limits>   // infinity
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/level_tables.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/normal_kernels.hpp>
#include <pomlux/core/parallel.hpp>
#include <string>  // messages

namespace pomlux {

const detail::NormalKernels& detail::normal_kernels(Isa level) {
  return POMLUX_LEVEL_TABLES(kNormalKernels).at(level, "normal_kernels");
}

namespace {

using detail::ArmSumFunction;
using detail::ArrayFunction;
using detail::ArrayFunction2;
using detail::NormalKernels;

/// Values per parallel chunk; shorter arrays than two chunks stay on the calling thread.
constexpr Index kArrayChunk = 1 << 15;

const NormalKernels& active_kernels() {
  static const NormalKernels& kernels = detail::normal_kernels(active_isa_level());
  return kernels;
}

double apply(ArrayFunction NormalKernels::*function, double x) {
  double result = 0.0;
  (active_kernels().*function)(&x, &result, 1);
  return result;
}

template <typename Body>
void for_chunks(std::size_t size, const Body& body) {
  const auto n = static_cast<Index>(size);
  if (n < 2 * kArrayChunk) return body(0, n);
  parallel_for(n, kArrayChunk, body);
}

void apply(const char* name,
           ArrayFunction NormalKernels::*member,
           std::span<const double> x,
           std::span<double> out) {
  require_same_size(name, "x", std::ssize(x), "out", std::ssize(out));
  const ArrayFunction function = active_kernels().*member;
  for_chunks(x.size(), [&](Index begin, Index end) {
    function(x.data() + begin, out.data() + begin, static_cast<std::size_t>(end - begin));
  });
}

void apply(const char* name,
           ArrayFunction2 NormalKernels::*member,
           std::span<const double> x,
           std::span<double> out,
           std::span<double> out_2) {
  require_same_size(name, "x", std::ssize(x), "the first result", std::ssize(out));
  require_same_size(name, "x", std::ssize(x), "the second result", std::ssize(out_2));
  const ArrayFunction2 function = active_kernels().*member;
  for_chunks(x.size(), [&](Index begin, Index end) {
    function(x.data() + begin,
             out.data() + begin,
             out_2.data() + begin,
             static_cast<std::size_t>(end - begin));
  });
}

ArmSums apply(const char* name,
              ArmSumFunction NormalKernels::*member,
              std::span<const double> mean,
              std::span<const double> stddev,
              double base,
              double offset,
              std::span<double> out) {
  require_same_size(name, "mean", std::ssize(mean), "stddev", std::ssize(stddev));
  if (!out.empty()) require_same_size(name, "mean", std::ssize(mean), "out", std::ssize(out));
  const detail::KernelSums sums = (active_kernels().*member)(
      mean.data(), stddev.data(), base, offset, out.empty() ? nullptr : out.data(), mean.size());
  return {sums.value, sums.slope};
}

}  // namespace

double normal_pdf(double x) { return apply(&NormalKernels::pdf, x); }
double log_normal_pdf(double x) { return apply(&NormalKernels::log_pdf, x); }
double normal_cdf(double x) { return apply(&NormalKernels::cdf, x); }
double log_normal_cdf(double x) { return apply(&NormalKernels::log_cdf, x); }
double normal_reverse_hazard(double x) { return apply(&NormalKernels::reverse_hazard, x); }
double normal_quantile(double u) { return apply(&NormalKernels::quantile, u); }

double normal_quantile_of_log(double log_u) {
  if (log_u == -std::numeric_limits<double>::infinity()) return log_u;
  const double upper_tail = -std::expm1(log_u);
  if (upper_tail < 0.5) return -normal_quantile(upper_tail);
  constexpr double kLowestLog = -700.0;  // not far below, exp loses digits to underflow
  if (!(log_u < kLowestLog)) return normal_quantile(std::exp(log_u));
  double z = -std::sqrt(-2.0 * log_u);
  // log Phi is nearly a parabola there.
  for (int i = 0; i < 3; ++i) z -= (log_normal_cdf(z) - log_u) / normal_reverse_hazard(z);
  return z;
}

void normal_pdf(std::span<const double> x, std::span<double> out) {
  apply("normal_pdf", &NormalKernels::pdf, x, out);
}

void log_normal_pdf(std::span<const double> x, std::span<double> out) {
  apply("log_normal_pdf", &NormalKernels::log_pdf, x, out);
}

void normal_cdf(std::span<const double> x, std::span<double> out) {
  apply("normal_cdf", &NormalKernels::cdf, x, out);
}

void log_normal_cdf(std::span<const double> x, std::span<double> out) {
  apply("log_normal_cdf", &NormalKernels::log_cdf, x, out);
}

void normal_reverse_hazard(std::span<const double> x, std::span<double> out) {
  apply("normal_reverse_hazard", &NormalKernels::reverse_hazard, x, out);
}

void normal_quantile(std::span<const double> u, std::span<double> out) {
  apply("normal_quantile", &NormalKernels::quantile, u, out);
}

void normal_cdf_and_pdf(std::span<const double> x, std::span<double> cdf, std::span<double> pdf) {
  apply("normal_cdf_and_pdf", &NormalKernels::cdf_and_pdf, x, cdf, pdf);
}

void vapor_sigmoid(std::span<const double> c, std::span<double> out) {
  apply("vapor_sigmoid", &NormalKernels::vapor, c, out);
}

void vapor_sigmoid_complement(std::span<const double> c, std::span<double> out) {
  apply("vapor_sigmoid_complement", &NormalKernels::vapor_complement, c, out);
}

void log_vapor_sigmoid(std::span<const double> c, std::span<double> out) {
  apply("log_vapor_sigmoid", &NormalKernels::log_vapor, c, out);
}

void vapor_sigmoid_and_slope(std::span<const double> c,
                             std::span<double> value,
                             std::span<double> slope) {
  apply("vapor_sigmoid_and_slope", &NormalKernels::vapor_and_slope, c, value, slope);
}

ArmSums sum_normal_cdf(std::span<const double> mean,
                       std::span<const double> stddev,
                       double base,
                       double offset,
                       std::span<double> out) {
  return apply("sum_normal_cdf", &NormalKernels::cdf_sums, mean, stddev, base, offset, out);
}

ArmSums sum_vapor_sigmoid(std::span<const double> mean,
                          std::span<const double> stddev,
                          double base,
                          double offset,
                          std::span<double> out) {
  return apply("sum_vapor_sigmoid", &NormalKernels::vapor_sums, mean, stddev, base, offset, out);
}

double sum_entropy(std::span<const double> p) {
  return active_kernels().entropy_sum(p.data(), p.size());
}

void exponential(std::span<const double> x, std::span<double> out) {
  apply("exponential", &NormalKernels::exponential, x, out);
}

}  // namespace pomlux
