// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp, std::max
#include <array>      // blocks of arguments
#include <cmath>      // std::log
#include <pomlux/acquisition/max_value_entropy_search.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>

namespace pomlux {
namespace {

constexpr double kHalfLogTwoPi = 0.91893853320467274178;
/// Where the terms of the definition cancel too much and the series has converged: rounding is
/// gamma² eps, the first term left out 7e-16.
constexpr double kSeriesBelow = -25.0;
/// Keeps gamma² within the range of doubles.
constexpr double kLargestGamma = 1e150;

constexpr Index kBlock = 256;
constexpr Index kQuantileChunk = 1 << 13;
constexpr Index kScoreChunk = 256;
constexpr double kQuantileTolerance = 1e-12;
constexpr int kQuantileIterations = 100;

/// log P[max F <= y] for y at or above every certain arm, and its derivative.
struct LogCdf {
  double value = 0.0;
  double slope = 0.0;
};

LogCdf log_cdf_of_max(const VectorRef& mean, const VectorRef& stddev, double y) {
  const Index chunks = (mean.size() + kQuantileChunk - 1) / kQuantileChunk;
  Vector values = Vector::Zero(chunks), slopes = Vector::Zero(chunks);
  parallel_for(mean.size(), kQuantileChunk, [&](Index begin, Index end) {
    std::array<double, kBlock> c, sigma, log_cdf, hazard;
    const Index chunk = begin / kQuantileChunk;
    for (Index x = begin; x < end;) {
      std::size_t count = 0;
      for (; x < end && count < c.size(); ++x) {
        if (stddev(x) == 0.0) continue;
        sigma[count] = stddev(x);
        c[count++] = (y - mean(x)) / stddev(x);
      }
      log_normal_cdf(std::span(c).first(count), std::span(log_cdf).first(count));
      normal_reverse_hazard(std::span(c).first(count), std::span(hazard).first(count));
      for (std::size_t i = 0; i < count; ++i) {
        values(chunk) += log_cdf[i];
        slopes(chunk) += hazard[i] / sigma[i];
      }
    }
  });
  return {values.sum(), slopes.sum()};
}

/// One number from each of m slices of (0, 1), in order.
Vector draw_stratified(Index m, Rng& rng) {
  Vector u(m);
  for (Index i = 0; i < m; ++i) {
    u(i) = (static_cast<double>(i) + draw_uniform(rng) + 0x1p-54) / static_cast<double>(m);
  }
  return u.cwiseMin(1.0 - 0.5 * kEpsilon);
}

Vector independent_maxima(const GaussianVector& f, Index m, Rng& rng) {
  Vector maxima = draw_stratified(m, rng);
  for (double& value : maxima) value = independent_max_quantile(f.mean(), f.stddev(), value);
  return maxima;
}

/// G(y) = exp(-exp(-(y - a) / b)): the quantile u is a - b log(-log u).
Vector gumbel_maxima(const GaussianVector& f, Index m, Rng& rng) {
  const auto quantile = [&](double u) { return independent_max_quantile(f.mean(), f.stddev(), u); };
  const auto standard = [](double u) { return -std::log(-std::log(u)); };
  const double b = (quantile(0.75) - quantile(0.25)) / (standard(0.75) - standard(0.25));
  const double a = quantile(0.5) - b * standard(0.5);
  return draw_stratified(m, rng).unaryExpr([&](double u) { return a + b * standard(u); });
}

Vector draw_maxima(const GaussianVector& f, const MaxValueOptions& options, Rng& rng) {
  switch (options.maximum) {
    case MaximumSource::kIndependent:
      return independent_maxima(f, options.samples, rng);
    case MaximumSource::kGumbel:
      return gumbel_maxima(f, options.samples, rng);
    case MaximumSource::kJoint:
      break;
  }
  return JointSampler(f, rng, options.sampler).draw_maxima(options.samples, rng);
}

double mean_gain(const Vector& maxima, double mean, double stddev) {
  if (stddev == 0.0) return 0.0;
  double sum = 0.0;
  for (const double maximum : maxima) {
    sum += max_value_gain(std::clamp((maximum - mean) / stddev, -kLargestGamma, kLargestGamma));
  }
  return sum / static_cast<double>(maxima.size());
}

}  // namespace

double max_value_gain(double gamma) {
  if (!(gamma < kSeriesBelow)) {
    if (gamma == kInfinity) return 0.0;  // not inf times 0
    return 0.5 * gamma * normal_reverse_hazard(gamma) - log_normal_cdf(gamma);
  }
  // With t = -gamma, Phi = phi S / t and S = 1 - w, w = 1/t² - 3/t⁴ + 15/t⁶ - ...:
  //   gain = t²/2 (1 - 1/S) + log sqrt(2 pi) + log t - log S,   t² (1 - 1/S) = -t² w / S.
  const double u = 1.0 / gamma / gamma;
  const double scaled =
      1.0 -
      u * (3.0 - u * (15.0 - u * (105.0 - u * (945.0 - u * (10395.0 - u * 135135.0)))));  // t² w
  const double w = u * scaled;
  return kHalfLogTwoPi + std::log(-gamma) - 0.5 * scaled / (1.0 - w) - std::log1p(-w);
}

double independent_max_quantile(const VectorRef& mean, const VectorRef& stddev, double u) {
  constexpr std::string_view where = "independent_max_quantile";
  require_marginals(where, mean, stddev);
  if (!(u > 0.0 && u < 1.0)) fail(where, "u is " + format_number(u) + "; must be in (0, 1)");
  const double log_u = std::log(u);
  // P[F_x <= upper] >= u^(1/n) for every x, P[F_x <= lower] <= u for one.
  const double low = normal_quantile(u);
  const double high = normal_quantile_of_log(log_u / static_cast<double>(mean.size()));
  double lower = (mean + low * stddev).maxCoeff();
  double upper = std::max(lower, (mean + high * stddev).maxCoeff());
  const double tolerance = kQuantileTolerance * (upper - lower);
  double y = 0.5 * (lower + upper);
  for (int i = 0; i < kQuantileIterations && upper - lower > tolerance; ++i) {
    const LogCdf g = log_cdf_of_max(mean, stddev, y);
    (g.value < log_u ? lower : upper) = y;
    // Newton's method for log(-log P) = log(-log u), whose left side is nearly linear in y.
    const double step = (std::log(-g.value) - std::log(-log_u)) * g.value / g.slope;
    const double next = y - step;
    if (next > lower && next < upper) {
      if (std::abs(step) <= tolerance) return next;
      y = next;
    } else {
      y = 0.5 * (lower + upper);
    }
  }
  return y;
}

void validate(const MaxValueOptions& options) {
  if (options.samples < 1) {
    fail("mes", "samples is " + format_number(options.samples) + "; must be >= 1");
  }
  validate(options.sampler);
}

MaxValueEntropySearch::MaxValueEntropySearch(MaxValueOptions options) : options_(options) {
  validate(options_);
}

Vector MaxValueEntropySearch::do_score(const AcquisitionContext& context,
                                       std::span<const Index> subset,
                                       Rng& rng) const {
  const GaussianVector& f = context.posterior;
  const VectorView mean = f.mean(), stddev = f.stddev();
  const Vector maxima = draw_maxima(f, options_, rng);
  Vector scores(static_cast<Index>(subset.size()));
  parallel_for(scores.size(), kScoreChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index candidate = subset[static_cast<std::size_t>(i)];
      scores(i) = mean_gain(maxima, mean(candidate), stddev(candidate));
    }
  });
  return scores;
}

}  // namespace pomlux
