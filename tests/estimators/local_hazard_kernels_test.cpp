// SPDX-License-Identifier: MIT
// The inner loops of local_hazard at every instruction-set level, against plain versions.
#include <algorithm>
#include <catch.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>
#include <pomlux/estimators/local_hazard_kernels.hpp>
#include <vector>

#include "dense.hpp"

namespace {

using namespace pomlux;
using detail::hazard_kernels;
using detail::HazardArm;
using detail::kHazardLevels;
using detail::LogRatioFunction;
using detail::RatioSeries;

std::vector<Isa> hazard_levels() {
  std::vector<Isa> levels;
  for (const Isa level : {Isa::kBaseline, Isa::kV3, Isa::kV4}) {
    if (is_available(level)) levels.push_back(level);
  }
  return levels;
}

/// An arm and its neighbours; position 0 is the arm.
struct Neighbourhood {
  Vector mean;
  Vector stddev;
  Matrix correlation;  // [m + 1, m + 1]

  [[nodiscard]] Vector run(LogRatioFunction function, const Vector& levels) const {
    const Index m = mean.size() - 1;
    const Vector inverse = stddev.cwiseInverse();
    std::vector<std::int32_t> neighbours;
    std::vector<float> own, pairs;
    for (Index j = 1; j <= m; ++j) {
      neighbours.push_back(static_cast<std::int32_t>(j));
      own.push_back(static_cast<float>(correlation(j, 0)));
      for (Index i = 1; i < j; ++i) pairs.push_back(static_cast<float>(correlation(j, i)));
    }
    const HazardArm arm{.mean = mean.data(),
                        .inverse_stddev = inverse.data(),
                        .arm = 0,
                        .neighbours = neighbours.data(),
                        .correlation = own.data(),
                        .pairs = pairs.data(),
                        .m = static_cast<std::size_t>(m)};
    std::vector<double> scratch(detail::hazard_scratch(arm.m));
    Vector result(static_cast<Index>(kHazardLevels));
    function(arm, levels.data(), scratch.data(), result.data());
    return result;
  }
};

/// Entries are multiples of 2^-10, which single precision holds.
Neighbourhood draw_neighbourhood(Index m, double common, std::uint64_t seed) {
  Rng rng = make_stream(seed, "local_hazard_kernels_test");
  Neighbourhood result;
  result.mean = draw_normals(rng, m + 1);
  result.stddev = (0.3 * draw_normals(rng, m + 1)).array().exp();
  Matrix root(m + 1, m + 4);
  for (Index j = 0; j < root.cols(); ++j) root.col(j) = draw_normals(rng, m + 1);
  root.col(0).array() += common;
  const Matrix covariance = root * root.transpose();
  const Vector scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
  result.correlation = scale.asDiagonal() * covariance * scale.asDiagonal();
  result.correlation = (result.correlation * 1024.0).array().round() / 1024.0;
  return result;
}

Vector some_levels() { return Vector::LinSpaced(Index(kHazardLevels), -1.5, 4.0); }

constexpr double kJitter = 1e-6;  // of the kernels

/// log P(z <= thresholds) of N(mean, covariance), one variable after the other.
double sequential_log_cdf(Vector mean, Matrix covariance, const Vector& thresholds) {
  double sum = 0.0;
  for (Index i = 0; i < mean.size(); ++i) {
    const double s = std::sqrt(covariance(i, i));
    const double a = (thresholds(i) - mean(i)) / s;
    const double lambda = normal_reverse_hazard(a);
    const Vector gain = covariance.col(i) / s;
    sum += log_normal_cdf(a);
    mean -= lambda * gain;
    covariance -= lambda * (lambda + a) * gain * gain.transpose();
  }
  return sum;
}

/// The log ratio by a function that gives log P(z <= thresholds) of all but the arm, which is 0.
template <typename LogCdf>
double plain_log_ratio(const Neighbourhood& n, double level, const LogCdf& log_cdf) {
  const Index m = n.mean.size() - 1;
  const Vector thresholds = (level - n.mean.array()) / n.stddev.array();
  const double a = thresholds(0), lambda = normal_reverse_hazard(a);
  const Vector c = n.correlation.col(0).tail(m);
  Matrix covariance = n.correlation.bottomRightCorner(m, m);
  covariance.diagonal().array() += kJitter;
  const double equal = log_cdf(a * c, covariance - c * c.transpose(), thresholds.tail(m));
  const double below = log_cdf(
      -lambda * c, covariance - lambda * (lambda + a) * c * c.transpose(), thresholds.tail(m));
  return equal - below;
}

TEST_CASE("A hazard without neighbours is that of a normal variable",
          "[estimators][local_hazard]") {
  for (const Isa level : hazard_levels()) {
    for (double shift = -60.0; shift < 60.0; shift += 0.37) {
      const Vector levels = some_levels().array() + shift;
      Vector hazard(levels.size());
      hazard_kernels(level).hazard(0.25, 0.5, RatioSeries(), levels.data(), hazard.data());
      for (Index l = 0; l < levels.size(); ++l) {
        CAPTURE(levels(l));
        const double expected = normal_reverse_hazard((levels(l) - 0.25) / 2.0) / 2.0;
        CHECK((std::abs(hazard(l) - expected) <= 2e-10 * expected + 1e-300));
      }
    }
  }
}

TEST_CASE("A series multiplies the hazard between its ends and is constant beyond",
          "[estimators][local_hazard]") {
  // 0.3 + 0.2 t - 0.4 T_2(t) + 0.1 T_7(t) with t = (f - 1) / 2, then times 100.
  RatioSeries series{.centre = 1.0, .inverse_half = 0.5, .coefficients = {0.3, 0.2, -0.4}};
  series.coefficients[7] = 0.1;
  RatioSeries large = series;
  for (double& c : large.coefficients) c *= 100.0;
  const Vector levels = some_levels();
  for (const Isa level : hazard_levels()) {
    Vector hazard(levels.size()), limited(levels.size());
    hazard_kernels(level).hazard(0.0, 1.0, series, levels.data(), hazard.data());
    hazard_kernels(level).hazard(0.0, 1.0, large, levels.data(), limited.data());
    for (Index l = 0; l < levels.size(); ++l) {
      CAPTURE(levels(l));
      const double t = std::clamp((levels(l) - 1.0) / 2.0, -1.0, 1.0);
      const double ratio =
          0.3 + 0.2 * t - 0.4 * (2.0 * t * t - 1.0) + 0.1 * std::cos(7.0 * std::acos(t));
      const double alone = normal_reverse_hazard(levels(l));
      CHECK_THAT(hazard(l), WithinRel(alone * std::exp(ratio), 1e-9));
      CHECK_THAT(limited(l), WithinRel(alone * std::exp(std::min(100.0 * ratio, 5.0)), 1e-9));
    }
  }
}

TEST_CASE("Sequential moments are those of the plain recursion", "[estimators][local_hazard]") {
  for (const Isa level : hazard_levels()) {
    for (const Index m : {1, 2, 3, 5, 8, 16, 33, 64}) {
      for (const double common : {0.0, 1.5}) {
        const Neighbourhood n = draw_neighbourhood(m, common, static_cast<std::uint64_t>(m));
        const Vector levels = some_levels();
        const Vector ratio = n.run(hazard_kernels(level).sequential, levels);
        for (Index l = 0; l < levels.size(); ++l) {
          CAPTURE(std::string(to_string(level)), m, common, levels(l));
          CHECK_THAT(ratio(l), WithinAbs(plain_log_ratio(n, levels(l), sequential_log_cdf), 1e-6));
        }
      }
    }
  }
}

/// Skewness of a standard normal that is at most a, from its moments.
double skewness_below(double a) {
  const double lambda = normal_reverse_hazard(a);
  const double first = -lambda, second = 1.0 - a * lambda, third = 2.0 * first - a * a * lambda;
  return (third - 3.0 * first * second + 2.0 * std::pow(first, 3)) /
         std::pow(second - first * first, 1.5);
}

/// N(mean, covariance) of variables that are to be at most 0, and sites exp(nu g - tau g^2 / 2).
struct PlainPropagation {
  Vector mean;
  Matrix covariance;
  Vector tau, nu;

  struct Moments {
    Vector mean;
    Matrix covariance;
  };
  [[nodiscard]] Moments moments() const {
    const Matrix precision = test::inverse_by_lu(covariance) + Matrix(tau.asDiagonal());
    const Matrix result = test::inverse_by_lu(precision);
    return {result * (test::inverse_by_lu(covariance) * mean + nu), result};
  }

  struct Cavity {
    double precision, shift, a;
  };
  [[nodiscard]] Cavity cavity(const Moments& now, Index i) const {
    const double precision = 1.0 / now.covariance(i, i) - tau(i);
    const double shift = now.mean(i) / now.covariance(i, i) - nu(i);
    return {precision, shift, -shift / std::sqrt(precision)};
  }

  void update(Index i) {
    const Cavity c = cavity(moments(), i);
    const double lambda = normal_reverse_hazard(c.a), delta = lambda * (lambda + c.a);
    const double mean_after = (-c.a - lambda) / std::sqrt(c.precision);
    const double precision_after = c.precision / (1.0 - delta);
    tau(i) = precision_after - c.precision;
    nu(i) = mean_after * precision_after - c.shift;
  }

  [[nodiscard]] double log_probability() const {
    const Moments now = moments();
    const Matrix unit = Matrix::Identity(tau.size(), tau.size());
    const Vector shift = test::inverse_by_lu(covariance) * mean + nu;
    double sum = -0.5 * std::log(test::determinant_by_lu(unit + covariance * tau.asDiagonal())) +
                 0.5 * (shift.dot(now.covariance * shift) -
                        mean.dot(test::inverse_by_lu(covariance) * mean));
    for (Index i = 0; i < tau.size(); ++i) {
      const Cavity c = cavity(now, i);
      const double total = c.precision + tau(i);
      sum += log_normal_cdf(c.a) + 0.5 * std::log(total / c.precision) -
             0.5 * (std::pow(c.shift + nu(i), 2) / total - c.shift * c.shift / c.precision);
    }
    return sum + add_up_pairs(now);
  }

  [[nodiscard]] double add_up_pairs(const Moments& now) const {
    const Vector stddev = now.covariance.diagonal().cwiseSqrt();
    double sum = 0.0;
    for (Index i = 0; i < tau.size(); ++i) {
      for (Index j = 0; j < i; ++j) {
        const double correlation = now.covariance(i, j) / (stddev(i) * stddev(j));
        sum += skewness_below(cavity(now, i).a) * skewness_below(cavity(now, j).a) *
               std::pow(correlation, 3) / 6.0;
      }
    }
    return sum;
  }
};

double propagated_log_ratio(const Neighbourhood& n, double level) {
  const Index m = n.mean.size() - 1;
  const Vector thresholds = (level - n.mean.array()) / n.stddev.array();
  const double a = thresholds(0);
  Matrix covariance = n.correlation;
  covariance.diagonal().tail(m).array() += kJitter;
  PlainPropagation all{-thresholds, covariance, Vector::Zero(m + 1), Vector::Zero(m + 1)};
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (Index i = 0; i <= m; ++i) all.update(i);
  }
  const double below = all.log_probability() - log_normal_cdf(a);
  const Vector c = covariance.col(0).tail(m);
  PlainPropagation others{-thresholds.tail(m) + a * c,
                          covariance.bottomRightCorner(m, m) - c * c.transpose(),
                          all.tau.tail(m),
                          all.nu.tail(m)};
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (Index i = 0; i < m; ++i) others.update(i);
  }
  return others.log_probability() - below;
}

TEST_CASE("Expectation propagation is that of dense matrices", "[estimators][local_hazard]") {
  const Vector levels = some_levels();
  for (const Index m : {1, 2, 3, 7, 8, 16, 33}) {
    for (const double common : {0.0, 1.5}) {
      const Neighbourhood n = draw_neighbourhood(m, common, static_cast<std::uint64_t>(m));
      Vector expected(levels.size());
      for (Index l = 0; l < levels.size(); ++l) expected(l) = propagated_log_ratio(n, levels(l));
      for (const Isa level : hazard_levels()) {
        const Vector ratio = n.run(hazard_kernels(level).propagation, levels);
        for (Index l = 0; l < levels.size(); ++l) {
          CAPTURE(std::string(to_string(level)), m, common, levels(l));
          CHECK_THAT(ratio(l), WithinAbs(expected(l), 1e-6));
        }
      }
    }
  }
}

TEST_CASE("The hazard of an arm with one neighbour is near the exact one",
          "[estimators][local_hazard]") {
  // At level 0 it is phi(0) Phi(0) / (1/4 + asin(rho) / (2 pi)), without neighbours 2 phi(0).
  for (const double rho : {-0.5, 0.0, 0.5, 0.875}) {
    CAPTURE(rho);
    const Neighbourhood pair{
        Vector::Zero(2), Vector::Ones(2), (Matrix(2, 2) << 1, rho, rho, 1).finished()};
    const double expected = 0.25 / (0.25 + std::asin(rho) / (2.0 * std::numbers::pi));
    const Vector levels = Vector::Zero(Index(kHazardLevels));
    for (const auto member :
         {&detail::HazardKernels::sequential, &detail::HazardKernels::propagation}) {
      const Vector ratio = pair.run(hazard_kernels(Isa::kBaseline).*member, levels);
      CHECK_THAT(std::exp(ratio(0)), WithinRel(expected, 0.035));
    }
  }
}

}  // namespace
