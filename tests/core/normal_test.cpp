// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <oracle.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/normal_kernels.hpp>
#include <pomlux/core/rng.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace pomlux;
using detail::ArrayFunction;
using detail::NormalKernels;

constexpr double kLeastSubnormal = std::numeric_limits<double>::denorm_min();
constexpr double kLeastNormal = std::numeric_limits<double>::min();

std::vector<Isa> available_levels() {
  std::vector<Isa> levels;
  for (const Isa level : {Isa::kBaseline, Isa::kV3, Isa::kV4}) {
    if (is_available(level)) levels.push_back(level);
  }
  return levels;
}

struct Function {
  std::string oracle;  ///< key of special.json, or nothing
  ArrayFunction NormalKernels::*member;
  double relative_error;
};

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      {"", &NormalKernels::pdf, kNormalPdfRelativeError},
      {"", &NormalKernels::log_pdf, kNormalPdfRelativeError},
      {"Phi", &NormalKernels::cdf, kNormalCdfRelativeError},
      {"log_Phi", &NormalKernels::log_cdf, kLogNormalCdfRelativeError},
      {"phi_over_Phi", &NormalKernels::reverse_hazard, kNormalReverseHazardRelativeError},
      {"Phi_inv", &NormalKernels::quantile, kNormalQuantileRelativeError},
      {"v", &NormalKernels::vapor, kVaporSigmoidRelativeError},
      {"one_minus_v", &NormalKernels::vapor_complement, kVaporSigmoidRelativeError},
      {"log_v", &NormalKernels::log_vapor, kVaporSigmoidRelativeError},
      {"", &NormalKernels::exponential, kExponentialRelativeError},
  };
  return all;
}

std::vector<double> evaluate(Isa level,
                             ArrayFunction NormalKernels::*member,
                             const std::vector<double>& x) {
  std::vector<double> y(x.size());
  (detail::normal_kernels(level).*member)(x.data(), y.data(), x.size());
  return y;
}

double evaluate(Isa level, ArrayFunction NormalKernels::*member, double x) {
  return evaluate(level, member, std::vector<double>{x})[0];
}

/// Below the normal range one unit of the last place, as the header says.
bool is_close(double value, double expected, double relative_error) {
  if (value == expected) return true;
  const double allowed =
      std::abs(expected) < kLeastNormal ? kLeastSubnormal : relative_error * std::abs(expected);
  return std::abs(value - expected) <= allowed;
}

/// Arguments of both signs and all sizes, dense where the functions do something.
std::vector<double> many_arguments(std::size_t n) {
  Rng rng = make_stream(1, "normal_test");
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = i % 3 == 0 ? 2.0 * draw_normal(rng) : 90.0 * draw_uniform(rng) - 45.0;
    if (i % 7 == 0) x[i] *= std::exp(20.0 * draw_normal(rng));
    if (i % 11 == 0) x[i] = draw_uniform(rng);
  }
  return x;
}

TEST_CASE("Every function keeps its stated error on every instruction-set level",
          "[core][normal]") {
  const nlohmann::json oracle = test::load_oracle("special.json");
  for (const Isa level : available_levels()) {
    for (const Function& function : functions()) {
      if (function.oracle.empty()) continue;
      const Vector x = test::to_vector(oracle.at(function.oracle).at("x"));
      const Vector expected = test::to_vector(oracle.at(function.oracle).at("y"));
      const std::vector<double> y =
          evaluate(level, function.member, std::vector<double>(x.begin(), x.end()));
      for (Index i = 0; i < x.size(); ++i) {
        CAPTURE(to_string(level), function.oracle, x(i), expected(i));
        const double value = y[static_cast<std::size_t>(i)];
        if (!is_close(value, expected(i), function.relative_error)) CHECK(value == expected(i));
      }
    }
  }
}

TEST_CASE("The density and exp agree with long double arithmetic", "[core][normal]") {
  const std::vector<double> x = many_arguments(20'000);
  for (const Isa level : available_levels()) {
    const std::vector<double> pdf = evaluate(level, &NormalKernels::pdf, x);
    const std::vector<double> exponential = evaluate(level, &NormalKernels::exponential, x);
    int faults = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double wide = x[i];
      const auto density = static_cast<double>(std::exp(-0.5L * wide * wide) /
                                               std::sqrt(2.0L * std::numbers::pi_v<long double>));
      if (!is_close(pdf[i], density, kNormalPdfRelativeError)) ++faults;
      if (!is_close(
              exponential[i], static_cast<double>(std::exp(wide)), kExponentialRelativeError)) {
        ++faults;
      }
    }
    CAPTURE(to_string(level));
    CHECK(faults == 0);
  }
}

TEST_CASE("Infinities, zeros and NaN give their limits on every level", "[core][normal]") {
  struct Limit {
    ArrayFunction NormalKernels::*member;
    double x;
    double expected;
  };
  const std::vector<Limit> limits = {
      {&NormalKernels::pdf, kInfinity, 0.0},
      {&NormalKernels::pdf, -kInfinity, 0.0},
      {&NormalKernels::pdf, 0.0, 0.3989422804014327},
      {&NormalKernels::log_pdf, -kInfinity, -kInfinity},
      {&NormalKernels::log_pdf, 1e160, -kInfinity},
      {&NormalKernels::log_pdf, 0.0, -0.9189385332046727},
      {&NormalKernels::cdf, -kInfinity, 0.0},
      {&NormalKernels::cdf, kInfinity, 1.0},
      {&NormalKernels::cdf, -1e300, 0.0},
      {&NormalKernels::cdf, 1e300, 1.0},
      {&NormalKernels::cdf, 0.0, 0.5},
      {&NormalKernels::cdf, -0.0, 0.5},
      {&NormalKernels::cdf, -kLeastSubnormal, 0.5},
      {&NormalKernels::log_cdf, -kInfinity, -kInfinity},
      {&NormalKernels::log_cdf, -1e160, -kInfinity},
      {&NormalKernels::log_cdf, -1e150, -0.5e300},
      {&NormalKernels::log_cdf, kInfinity, 0.0},
      {&NormalKernels::log_cdf, 1e300, 0.0},
      {&NormalKernels::log_cdf, 0.0, -0.6931471805599453},
      {&NormalKernels::reverse_hazard, -kInfinity, kInfinity},
      {&NormalKernels::reverse_hazard, -1e300, 1e300},
      {&NormalKernels::reverse_hazard, kInfinity, 0.0},
      {&NormalKernels::reverse_hazard, 0.0, 0.7978845608028654},
      {&NormalKernels::quantile, 0.0, -kInfinity},
      {&NormalKernels::quantile, 1.0, kInfinity},
      {&NormalKernels::quantile, 0.5, 0.0},
      {&NormalKernels::quantile, kLeastSubnormal, -38.467405617144344},
      {&NormalKernels::quantile, -kLeastSubnormal, kNaN},
      {&NormalKernels::quantile, 1.0 + 0x1p-52, kNaN},
      {&NormalKernels::quantile, kInfinity, kNaN},
      {&NormalKernels::vapor, -kInfinity, 0.0},
      {&NormalKernels::vapor, kInfinity, 1.0},
      {&NormalKernels::vapor, 0.0, 0.6065306597126334},
      {&NormalKernels::vapor_complement, -kInfinity, 1.0},
      {&NormalKernels::vapor_complement, kInfinity, 0.0},
      {&NormalKernels::vapor_complement, 1e10, 0.5e-20},
      {&NormalKernels::vapor_complement, 1e160, 0.5e-320},
      {&NormalKernels::log_vapor, -kInfinity, -kInfinity},
      {&NormalKernels::log_vapor, -1e20, -0.5e40},
      {&NormalKernels::log_vapor, 0.0, -0.5},
      {&NormalKernels::exponential, -kInfinity, 0.0},
      {&NormalKernels::exponential, kInfinity, kInfinity},
      {&NormalKernels::exponential, 710.0, kInfinity},
      {&NormalKernels::exponential, -746.0, 0.0},
      {&NormalKernels::exponential, 709.782712893384, 1.7976931348622732e308},
      {&NormalKernels::exponential, -0.0, 1.0},
  };
  for (const Isa level : available_levels()) {
    for (std::size_t i = 0; i < limits.size(); ++i) {
      CAPTURE(to_string(level), i, limits[i].x);
      const double value = evaluate(level, limits[i].member, limits[i].x);
      if (std::isnan(limits[i].expected)) {
        CHECK(std::isnan(value));
      } else if (!is_close(value, limits[i].expected, 1e-15)) {
        CHECK(value == limits[i].expected);
      }
    }
    for (const Function& function : functions()) {
      CHECK(std::isnan(evaluate(level, function.member, kNaN)));
      CHECK(std::isnan(evaluate(level, function.member, -kNaN)));
    }
  }
}

TEST_CASE("v3 and v4 give the same bits, and the baseline is within the two stated errors",
          "[core][normal]") {
  if (!is_available(Isa::kV3)) return;
  const std::vector<double> x = many_arguments(20'000);
  for (std::size_t f = 0; f < functions().size(); ++f) {
    const Function& function = functions()[f];
    const std::vector<double> v3 = evaluate(Isa::kV3, function.member, x);
    const std::vector<double> baseline = evaluate(Isa::kBaseline, function.member, x);
    const std::vector<double> v4 =
        is_available(Isa::kV4) ? evaluate(Isa::kV4, function.member, x) : v3;
    int differing = 0, far = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (std::isnan(v3[i]) && std::isnan(baseline[i]) && std::isnan(v4[i])) continue;
      if (std::bit_cast<std::uint64_t>(v3[i]) != std::bit_cast<std::uint64_t>(v4[i])) ++differing;
      if (!is_close(v3[i], baseline[i], 2.0 * function.relative_error)) ++far;
    }
    CAPTURE(f);
    CHECK(differing == 0);
    CHECK(far == 0);
  }
}

TEST_CASE("A result depends on its argument alone, not on its place", "[core][normal]") {
  const std::vector<double> x = many_arguments(1001);
  for (const Isa level : available_levels()) {
    for (const Function& function : functions()) {
      const std::vector<double> y = evaluate(level, function.member, x);
      std::vector<double> shifted(y.size() - 1);
      const auto kernel = detail::normal_kernels(level).*function.member;
      kernel(x.data() + 1, shifted.data(), shifted.size());
      std::vector<double> in_place = x;
      kernel(in_place.data(), in_place.data(), in_place.size());
      int faults = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        const auto bits = std::bit_cast<std::uint64_t>(y[i]);
        if (i > 0 && std::bit_cast<std::uint64_t>(shifted[i - 1]) != bits) ++faults;
        if (std::bit_cast<std::uint64_t>(in_place[i]) != bits) ++faults;
        if (std::bit_cast<std::uint64_t>(evaluate(level, function.member, x[i])) != bits) ++faults;
      }
      CHECK(faults == 0);
    }
  }
}

TEST_CASE("Functions with two results give those of the single ones", "[core][normal]") {
  const std::vector<double> x = many_arguments(1000);
  std::vector<double> a(x.size()), b(x.size());
  for (const Isa level : available_levels()) {
    const NormalKernels& kernels = detail::normal_kernels(level);
    kernels.cdf_and_pdf(x.data(), a.data(), b.data(), x.size());
    CHECK(a == evaluate(level, &NormalKernels::cdf, x));
    CHECK(b == evaluate(level, &NormalKernels::pdf, x));
    kernels.vapor_and_slope(x.data(), a.data(), b.data(), x.size());
    CHECK(a == evaluate(level, &NormalKernels::vapor, x));
  }
}

TEST_CASE("v and its slope agree with long double arithmetic", "[core][normal]") {
  const std::vector<double> x = many_arguments(20'000);
  std::vector<double> value(x.size()), slope(x.size());
  for (const Isa level : available_levels()) {
    detail::normal_kernels(level).vapor_and_slope(x.data(), value.data(), slope.data(), x.size());
    int faults = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double c = x[i];
      const long double root = std::sqrt(c * c + 4.0L);
      const long double exponent =
          c > 0.0L ? 2.0L / ((root + c) * (root + c)) : (root - c) * (root - c) / 8.0L;
      const long double v = std::exp(-exponent);
      const auto v_slope = static_cast<double>(v * 2.0L * exponent / root);
      if (!is_close(value[i], static_cast<double>(v), kVaporSigmoidRelativeError)) ++faults;
      if (!is_close(slope[i], v_slope, 2.0 * kVaporSigmoidRelativeError)) ++faults;
    }
    CAPTURE(to_string(level));
    CHECK(faults == 0);
  }
}

TEST_CASE("Sums over arms are those of a plain loop, on every level", "[core][normal]") {
  const double base = 3.0, offset = 0.3;
  for (const std::size_t n : {0, 1, 7, 8, 63, 64, 65, 1000}) {
    const std::vector<double> mean = many_arguments(n);
    std::vector<double> stddev(n), c(n);
    for (std::size_t i = 0; i < n; ++i) {
      stddev[i] = 0.1 + static_cast<double>((7 * i) % 13);
      c[i] = ((mean[i] - base) - offset) * (1.0 / stddev[i]);
    }
    std::vector<double> value(n), slope(n), out(n);
    for (const Isa level : available_levels()) {
      const NormalKernels& kernels = detail::normal_kernels(level);
      for (const auto& [function, sum] : {std::pair{kernels.cdf_and_pdf, kernels.cdf_sums},
                                          std::pair{kernels.vapor_and_slope, kernels.vapor_sums}}) {
        function(c.data(), value.data(), slope.data(), n);
        double values = 0.0, slopes = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
          values += value[i];
          slopes += slope[i] / stddev[i];
        }
        const detail::KernelSums silent = sum(mean.data(), stddev.data(), base, offset, nullptr, n);
        const detail::KernelSums written =
            sum(mean.data(), stddev.data(), base, offset, out.data(), n);
        CAPTURE(to_string(level), n);
        CHECK(out == value);
        CHECK(silent.value == written.value);
        CHECK(silent.slope == written.slope);
        CHECK_THAT(silent.value, WithinRel(values, 1e-13));
        CHECK_THAT(silent.slope, WithinRel(slopes, 1e-13));
      }
      if (level == Isa::kV4) {
        const NormalKernels& v3 = detail::normal_kernels(Isa::kV3);
        const auto sum = [&](auto function) {
          return function(mean.data(), stddev.data(), base, offset, nullptr, n).slope;
        };
        CHECK(sum(kernels.cdf_sums) == sum(v3.cdf_sums));
        CHECK(sum(kernels.vapor_sums) == sum(v3.vapor_sums));
      }
    }
  }
}

TEST_CASE("Phi and its inverse undo each other", "[core][normal]") {
  for (double x = -37.0; x < 0.0; x += 0.37) {
    // The relative condition of Phi^-1 o Phi is 1 / (x hazard(x)) times the error of Phi.
    const double condition = 1.0 / (-x * normal_reverse_hazard(x));
    CHECK_THAT(normal_quantile(normal_cdf(x)),
               WithinRel(x, kNormalQuantileRelativeError + condition * kNormalCdfRelativeError));
  }
  for (double u = 0.003; u < 1.0; u += 0.0071) {
    CHECK(normal_quantile(1.0 - u) == Approx(-normal_quantile(u)).epsilon(1e-13).margin(1e-15));
  }
}

TEST_CASE("Where two branches of the quantile meet it does not step back", "[core][normal]") {
  // 0.075 and 0.925 from the algorithm; exp(-25), where r = 5.
  for (const double edge : {0.075, 0.925, std::exp(-25.0), kLeastNormal}) {
    double u = edge;
    for (int i = 0; i < 50; ++i) u = std::nextafter(u, 0.0);
    double previous = -kInfinity;
    for (int i = 0; i < 100; ++i, u = std::nextafter(u, 1.0)) {
      const double value = normal_quantile(u);
      CHECK(value >= previous - 2.0 * kNormalQuantileRelativeError * std::abs(value));
      previous = value;
    }
  }
}

TEST_CASE("Scalars and arrays agree, on any number of threads", "[core][normal]") {
  const std::vector<double> x = many_arguments(150'001);  // several parallel chunks
  std::vector<double> y(x.size());
  normal_cdf(x, y);
  std::vector<double> single(x.size());
  std::transform(x.begin(), x.end(), single.begin(), [](double v) { return normal_cdf(v); });
  CHECK(y == single);
  log_normal_cdf(x, y);
  std::transform(x.begin(), x.end(), single.begin(), [](double v) { return log_normal_cdf(v); });
  CHECK(y == single);
  std::vector<double> in_place = x;
  normal_reverse_hazard(in_place, in_place);
  CHECK(in_place[7] == normal_reverse_hazard(x[7]));
  CHECK(in_place[150'000] == normal_reverse_hazard(x[150'000]));
  normal_cdf(std::span<const double>(), std::span<double>());
}

TEST_CASE("Arrays of different sizes are refused", "[core][normal]") {
  std::vector<double> x(3), y(2), z(3);
  CHECK_THROWS_WITH(normal_cdf(x, y), Catch::Contains("3") && Catch::Contains("2"));
  CHECK_THROWS_AS(normal_quantile(x, y), InvalidArgument);
  CHECK_THROWS_AS(normal_cdf_and_pdf(x, z, y), InvalidArgument);
  CHECK_THROWS_AS(vapor_sigmoid_and_slope(x, y, z), InvalidArgument);
  CHECK_THROWS_AS(sum_normal_cdf(x, y, 0.0, 0.0, {}), InvalidArgument);
  CHECK_THROWS_AS(sum_vapor_sigmoid(x, z, 0.0, 0.0, y), InvalidArgument);
}

TEST_CASE("The active level is the best available one, or the one POMLUX_ISA names",
          "[core][isa]") {
  const char* const wanted = std::getenv("POMLUX_ISA");
  const Isa best = available_levels().back();
  CHECK(active_isa() == (wanted != nullptr ? std::string_view(wanted) : to_string(best)));
  CHECK(is_available(Isa::kBaseline));
  CHECK(active_isa() == to_string(active_isa_level()));
  CHECK(normal_cdf(-1.3) == evaluate(active_isa_level(), &NormalKernels::cdf, -1.3));
}

}  // namespace
