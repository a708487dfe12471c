// SPDX-License-Identifier: MIT
// fill_normals against N(0, 1) and against Boost's normals, in standard errors of the exact law.
// Every bound is 4 of them (6e-5 of passes by chance) unless it says otherwise.
#include <algorithm>
#include <array>
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/rng.hpp>
#include <span>
#include <vector>

namespace {

using namespace pomlux;

/// [streams x length] numbers, stream after stream.
std::vector<double> draw_streams(std::uint64_t seed, std::size_t streams, std::size_t length) {
  std::vector<double> z(streams * length);
  for (std::size_t s = 0; s < streams; ++s) {
    fill_normals(seed, "normal_distribution_test", s, std::span(z).subspan(s * length, length));
  }
  return z;
}

/// z-score of the mean of f over z, where f has this mean and variance under N(0, 1).
template <typename Function>
double score(const std::vector<double>& z,
             std::size_t begin,
             std::size_t step,
             const Function& f,
             double mean,
             double variance) {
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = begin; i < z.size(); i += step, ++count) sum += f(z[i]) - mean;
  return sum / std::sqrt(variance * static_cast<double>(count));
}

TEST_CASE("Normals in bulk have the moments of N(0, 1), in every place of a block", "[core][rng]") {
  const std::vector<double> z = draw_streams(1, 2048, 1024);
  for (std::size_t place = 0; place < 4; ++place) {
    CAPTURE(place);
    CHECK(std::abs(score(
              z, place, 4, [](double x) { return x; }, 0.0, 1.0)) < 4.0);
    CHECK(std::abs(score(
              z, place, 4, [](double x) { return x * x; }, 1.0, 2.0)) < 4.0);
    CHECK(std::abs(score(
              z, place, 4, [](double x) { return x * x * x; }, 0.0, 15.0)) < 4.0);
    CHECK(std::abs(score(
              z, place, 4, [](double x) { return x * x * x * x; }, 3.0, 96.0)) < 4.0);
  }
}

TEST_CASE("Normals in bulk follow the distribution function", "[core][rng]") {
  // Kolmogorov: P[sqrt(m) D > 1.95] = 0.001, with one sample and with sqrt(m / 2) and two.
  constexpr double bound = 1.95;
  std::vector<double> z = draw_streams(2, 2048, 1024);
  std::sort(z.begin(), z.end());
  std::vector<double> cdf(z.size());
  normal_cdf(z, cdf);
  const auto m = static_cast<double>(z.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const auto below = static_cast<double>(i);
    distance = std::max({distance, cdf[i] - below / m, (below + 1.0) / m - cdf[i]});
  }
  CHECK(std::sqrt(m) * distance < bound);

  Rng rng = make_stream(2, "normal_distribution_test");
  Vector simple = draw_normals(rng, static_cast<Index>(z.size()));
  std::sort(simple.begin(), simple.end());
  double between = 0.0;
  for (std::size_t i = 0, j = 0; i < z.size(); ++i) {
    while (j < z.size() && simple(static_cast<Index>(j)) <= z[i]) ++j;
    between = std::max(between, std::abs(static_cast<double>(i + 1) - static_cast<double>(j)));
  }
  CHECK(between / m * std::sqrt(m / 2.0) < bound);
}

TEST_CASE("Normals in bulk have the tails of N(0, 1)", "[core][rng]") {
  constexpr std::size_t kStreams = 16384, kLength = 1024;
  constexpr std::array<double, 3> kLimits = {3.0, 4.0, 5.0};
  std::array<std::array<double, 3>, 2> counts{};
  std::vector<double> z(kLength);
  for (std::size_t s = 0; s < kStreams; ++s) {
    fill_normals(3, "normal_distribution_test", s, z);
    for (const double x : z) {
      for (std::size_t i = 0; i < 3; ++i) {
        counts[0].at(i) += x < -kLimits.at(i) ? 1.0 : 0.0;
        counts[1].at(i) += x > kLimits.at(i) ? 1.0 : 0.0;
      }
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const double p = normal_cdf(-kLimits.at(i));
    const double mean = p * double{kStreams} * double{kLength};
    CAPTURE(kLimits.at(i), mean, counts[0].at(i), counts[1].at(i));
    CHECK(std::abs(counts[0].at(i) - mean) < 4.0 * std::sqrt(mean * (1.0 - p)));
    CHECK(std::abs(counts[1].at(i) - mean) < 4.0 * std::sqrt(mean * (1.0 - p)));
  }
}

TEST_CASE("Normals in bulk are uncorrelated, as are their squares", "[core][rng]") {
  constexpr std::size_t kStreams = 4096, kLength = 512;
  const std::vector<double> z = draw_streams(4, kStreams, kLength);
  const std::vector<double> other_seed = draw_streams(5, kStreams, kLength);
  // A product of two independent normals has variance 1; of two of z^2 - 1, variance 4.
  const auto check = [](const double* a, const double* b, std::size_t count) {
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      sum += a[i] * b[i];
      squares += (a[i] * a[i] - 1.0) * (b[i] * b[i] - 1.0);
    }
    const double root = std::sqrt(static_cast<double>(count));
    CHECK(std::abs(sum) < 4.0 * root);
    CHECK(std::abs(squares) < 4.0 * 2.0 * root);
  };
  for (const std::size_t lag : {1u, 2u, 3u, 4u, 24u, 192u}) {
    CAPTURE(lag);
    check(z.data(), z.data() + lag, z.size() - lag);
  }
  for (const std::size_t streams : {1u, 8u, 128u}) {
    CAPTURE(streams);
    const std::size_t lag = streams * kLength;
    check(z.data(), z.data() + lag, z.size() - lag);
  }
  check(z.data(), other_seed.data(), z.size());
}

TEST_CASE("The two normals of a pair are independent", "[core][rng]") {
  // Angle by octants, radius by quarters of its law.
  const std::vector<double> z = draw_streams(6, 1024, 1024);
  std::array<double, 32> counts{};
  for (std::size_t i = 0; i < z.size(); i += 2) {
    const double x = z[i], y = z[i + 1];
    const std::size_t octant =
        (x < 0.0 ? 4u : 0u) + (y < 0.0 ? 2u : 0u) + (x * x < y * y ? 1u : 0u);
    const double outside = std::exp(-0.5 * (x * x + y * y));
    const auto quarter = static_cast<std::size_t>(std::min(4.0 * outside, 3.0));
    counts.at(4 * octant + quarter) += 1.0;
  }
  const double expected = static_cast<double>(z.size() / 2) / 32.0;
  double chi_squared = 0.0;
  for (const double count : counts) chi_squared += std::pow(count - expected, 2) / expected;
  CHECK(chi_squared < 61.1);  // 0.999 quantile with 31 degrees of freedom
}

}  // namespace
