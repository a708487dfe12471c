// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <chrono>     // time limit
#include <cmath>      // std::sqrt
#include <numbers>    // pi
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/joint_argmax.hpp>
#include <pomlux/estimators/ts_mc.hpp>

namespace pomlux {
namespace {

using Clock = std::chrono::steady_clock;
using Counts = std::vector<std::uint64_t>;

/// 1/2 sum_x E|estimate - p_x|, each estimate being normal to a good approximation.
double expected_total_variation(const Counts& counts, std::uint64_t samples) {
  const auto total = static_cast<double>(samples);
  double sum = 0.0;
  for (const std::uint64_t count : counts) {
    const double p = static_cast<double>(count) / total;
    sum += std::sqrt(p * (1.0 - p));
  }
  return 0.5 * sum * std::sqrt(2.0 / (std::numbers::pi * total));
}

/// Draws samples [begin, end), both multiples of the chunk but for the very last.
void count_samples(const JointArgmax& sampler,
                   std::uint64_t key,
                   std::uint64_t begin,
                   std::uint64_t end,
                   Counts& counts) {
  std::vector<Index> argmax(static_cast<std::size_t>(end - begin));
  parallel_for(
      static_cast<Index>(argmax.size()), JointArgmax::kChunk, [&](Index first, Index last) {
        sampler.draw(key,
                     begin + static_cast<std::uint64_t>(first),
                     std::span(argmax).subspan(static_cast<std::size_t>(first),
                                               static_cast<std::size_t>(last - first)));
      });
  for (const Index arm : argmax) ++counts[static_cast<std::size_t>(arm)];
}

TsMcResult summarise_counts(Counts counts, std::uint64_t samples) {
  const auto total = static_cast<double>(samples);
  const auto n = static_cast<Index>(counts.size());
  TsMcResult result;
  result.pom.probabilities.resize(n);
  result.standard_errors.resize(n);
  double second = 0.0;
  Index seen = 0;
  for (Index i = 0; i < n; ++i) {
    const double p = static_cast<double>(counts[static_cast<std::size_t>(i)]) / total;
    result.pom.probabilities(i) = p;
    result.standard_errors(i) = std::sqrt(p * (1.0 - p) / total);
    if (p > 0.0) {
      ++seen;
      second += p * std::log(p) * std::log(p);
    }
  }
  result.entropy = result.pom.entropy();
  result.entropy_standard_error =
      std::sqrt(std::max(second - result.entropy * result.entropy, 0.0) / total);
  result.corrected_entropy =
      std::min(result.entropy + static_cast<double>(seen - 1) / (2.0 * total),
               std::log(static_cast<double>(n)));
  result.pom.samples = samples;
  result.pom.sampling_error = expected_total_variation(counts, samples);
  result.counts = std::move(counts);
  return result;
}

TsMcResult solve(const GaussianVector& f, Rng& rng, const TsMcOptions& options) {
  const Clock::time_point start = Clock::now();
  const std::uint64_t key = rng();
  const std::uint64_t wanted =
      options.alpha > 0.0 ? ts_mc_samples(options.alpha, f.size()) : options.samples;
  const JointArgmax sampler(f, options.precision, options.memory_limit);
  Counts counts(static_cast<std::size_t>(f.size()), 0);
  std::uint64_t done = 0;
  bool is_early = false;
  while (done < wanted && !is_early) {
    const std::uint64_t end = std::min(wanted, done + TsMcOptions::kTestEvery);
    count_samples(sampler, key, done, end, counts);
    done = end;
    const bool is_accurate = options.target_error > 0.0 &&
                             expected_total_variation(counts, done) <= options.target_error;
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    const bool is_late =
        options.time_limit_seconds > 0.0 && elapsed.count() >= options.time_limit_seconds;
    is_early = is_accurate || is_late;
  }
  TsMcResult result = summarise_counts(std::move(counts), done);
  const bool is_target_missed =
      options.target_error > 0.0 && *result.pom.sampling_error > options.target_error;
  result.pom.status = is_target_missed ? Status::kIterationLimit : Status::kConverged;
  return result;
}

void require_nonnegative_option(std::string_view name, double value) {
  if (value >= 0.0 && std::isfinite(value)) return;
  fail("ts_mc", std::string(name) + " is " + format_number(value) + "; must be >= 0 and finite");
}

}  // namespace

void validate(const TsMcOptions& options) {
  if (options.samples < 1) fail("ts_mc", "samples is 0; must be >= 1");
  require_nonnegative_option("alpha", options.alpha);
  require_nonnegative_option("target_error", options.target_error);
  require_nonnegative_option("time_limit_seconds", options.time_limit_seconds);
  if (!(options.memory_limit > 0.0)) {
    fail("ts_mc", "memory_limit is " + format_number(options.memory_limit) + "; must be > 0");
  }
}

double ts_mc_confidence(std::uint64_t samples, double delta) {
  if (samples < 1) fail("ts_mc_confidence", "samples is 0; must be >= 1");
  if (!(delta > 0.0 && delta < 1.0)) {
    fail("ts_mc_confidence", "delta is " + format_number(delta) + "; must be in (0, 1)");
  }
  return std::sqrt(std::log(2.0 / delta) / (2.0 * static_cast<double>(samples)));
}

std::uint64_t ts_mc_samples(double alpha, Index n) {
  const double root = alpha * static_cast<double>(n);
  const double count = std::floor(root * root * (1.0 + 1e-12));
  if (!(count < 9e18)) {
    fail("ts_mc",
         "alpha = " + format_number(alpha) + " means " + format_number(count) +
             " samples; must be < 9e18");
  }
  return static_cast<std::uint64_t>(std::max(count, 1.0));
}

TsMc::TsMc(TsMcOptions options) : options_(options) { validate(options_); }

Pom TsMc::do_estimate(const GaussianVector& f, Rng& rng) const {
  return solve(f, rng, options_).pom;
}

TsMcResult ts_mc(const GaussianVector& f, Rng& rng, const TsMcOptions& options) {
  validate(options);
  require_marginals("ts_mc", f.mean(), f.stddev());
  return solve(f, rng, options);
}

}  // namespace pomlux
