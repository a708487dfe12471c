// SPDX-License-Identifier: MIT
// local_hazard on Gaussian process posteriors, against joint samples.
#include <catch.hpp>
#include <pomlux/core/domain.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/local_hazard.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <vector>

#include "hazard_cases.hpp"

namespace {

using namespace pomlux;
using namespace pomlux::test;

/// Distance to joint samples less their expected noise, in quadrature.
double bias(const LocalHazardResult& result, const TsMcResult& truth) {
  const double all = hazard_distance(result, truth.pom.probabilities);
  const double noise = *truth.pom.sampling_error;
  return std::sqrt(std::max(0.0, all * all - noise * noise));
}

TsMcResult sample_truth(const GaussianVector& f) {
  Rng rng = make_stream(2, "local_hazard_fields_test");
  return ts_mc(f, rng, {.samples = 150000});
}

TEST_CASE("Local hazard is within one percent on a chain", "[estimators][local_hazard]") {
  const DenseGaussian f =
      draw_posterior(kernel_matrix(line(300), squared_exponential(1.5)), 60, 0.1, 11);
  const TsMcResult truth = sample_truth(f);
  CHECK(bias(hazard_of(f), truth) < 0.01);
  CHECK(total_variation(independence(f.mean(), f.stddev()).probabilities, truth.pom.probabilities) >
        0.04);
}

TEST_CASE("Local hazard is within one and a half percent on a rough grid",
          "[estimators][local_hazard]") {
  const DenseGaussian f =
      draw_posterior(kernel_matrix(square(20), exponential_l1(2.0)), 60, 0.1, 12);
  CHECK(bias(hazard_of(f), sample_truth(f)) < 0.015);
}

TEST_CASE("On smooth chains local hazard is ten times closer than independence",
          "[estimators][local_hazard]") {
  double sequential = 0.0, nearest = 0.0, automatic = 0.0;
  for (const Index observations : {5, 20}) {
    CAPTURE(observations);
    const DenseGaussian f =
        draw_posterior(kernel_matrix(line(300), squared_exponential(10.0)), observations, 0.1, 13);
    const TsMcResult truth = sample_truth(f);
    const double error = bias(hazard_of(f), truth);
    const Vector ignorant = independence(f.mean(), f.stddev()).probabilities;
    CHECK(error < 0.03);
    CHECK(10.0 * error < total_variation(ignorant, truth.pom.probabilities));
    automatic += error;
    sequential += bias(hazard_of(f, {.moments = HazardMoments::kSequential}), truth);
    nearest += bias(
        hazard_of(f, {.moments = HazardMoments::kPropagation, .strong_correlation = 1.0}), truth);
  }
  CHECK(sequential > 5.0 * automatic);  // what propagation is for
  CHECK(nearest > 1.5 * automatic);     // and spreading the neighbours
}

TEST_CASE("Local hazard warns of smooth posteriors without noise that it does not resolve",
          "[estimators][local_hazard]") {
  int covered = 0, worse = 0, silent = 0;
  constexpr int kBeliefs = 40;
  for (int k = 0; k < kBeliefs; ++k) {
    const std::vector<Index> points{51};
    const Domain domain = Domain::grid(Vector::Zero(1), Vector::Ones(1), points);
    GaussianProcess gp(1,
                       make_kernel(KernelType::kSquaredExponential, Vector::Constant(1, 0.1), 1.0),
                       {.noise_stddev = 1e-4});
    for (const Index i : {5, 18, 30, 45}) {
      gp.add(domain.point(i), std::sin(static_cast<double>(i + k)));
    }
    const GaussianVector& f = gp.posterior(domain);
    Rng rng = make_stream(5, "local_hazard_fields_test");
    const TsMcResult truth = ts_mc(f, rng, {.samples = 20000});
    const LocalHazardResult result = hazard_of(f);
    const double error = bias(result, truth);
    const Vector ignorant = independence(f.mean(), f.stddev()).probabilities;
    const bool is_covered = error <= 2.0 * *result.pom.model_error;
    covered += is_covered ? 1 : 0;
    silent += !is_covered && result.pom.status == Status::kConverged ? 1 : 0;
    worse += error > total_variation(ignorant, truth.pom.probabilities) + 0.005 ? 1 : 0;
    CHECK(*result.pom.model_error >= std::abs(1.0 - result.mass) - 1e-3);
  }
  CAPTURE(covered, silent, worse);
  CHECK(covered >= kBeliefs * 9 / 10);
  CHECK(silent <= kBeliefs / 20);
  CHECK(worse <= kBeliefs / 20);
}

TEST_CASE("Without neighbours local hazard counts all correlation as unseen",
          "[estimators][local_hazard]") {
  const DenseGaussian f(Vector::Zero(60), kernel_matrix(line(60), squared_exponential(59.0)));
  const LocalHazardResult result = hazard_of(f, {.neighbours = 0});
  CHECK(result.pom.status == Status::kInaccurate);
  CHECK(hazard_distance(result, sample_truth(f).pom.probabilities) <=
        2.0 * *result.pom.model_error);
}

TEST_CASE("Spread neighbours keep their distance from each other", "[estimators][local_hazard]") {
  for (const Index n : {300, 600}) {  // all pairs, and by columns
    const DenseGaussian f(Vector::Zero(n), kernel_matrix(line(n), squared_exponential(10.0)));
    HazardArms spread = every_arm(f), nearest = spread;
    find_neighbours(f, {.most = 16, .spread_beyond = 0.85}, spread);
    find_neighbours(f, {.most = 16}, nearest);
    for (const Index x : {Index{0}, n / 2}) {
      const auto first = static_cast<std::size_t>(16 * x);
      const auto count = static_cast<std::size_t>(spread.count[static_cast<std::size_t>(x)]);
      REQUIRE(count > 4);
      CHECK(spread.neighbours[first] == nearest.neighbours[first]);
      CHECK(spread.correlation[first + count - 1] < 0.5F * nearest.correlation[first + 15]);
      const auto squared = [&](Index i, Index j) {
        const double correlation = f.covariance(i, j);
        return 1.0 - correlation * correlation;
      };
      for (std::size_t j = 0; j < count; ++j) {
        const Index z = spread.neighbours[first + j];
        CHECK(f.covariance(x, z) > 0.1 - 1e-6);
        for (std::size_t i = 0; i < j; ++i) {
          CHECK(squared(z, spread.neighbours[first + i]) > 0.36 * squared(x, z) - 1e-6);
        }
      }
    }
  }
  // Nothing is strongly correlated.
  const DenseGaussian rough(Vector::Zero(300), kernel_matrix(line(300), squared_exponential(1.5)));
  HazardArms spread = every_arm(rough), nearest = spread;
  find_neighbours(rough, {.most = 16, .spread_beyond = 0.85}, spread);
  find_neighbours(rough, {.most = 16}, nearest);
  CHECK(spread.neighbours == nearest.neighbours);
}

TEST_CASE("Local hazard reports correlation that neighbourhoods do not see",
          "[estimators][local_hazard]") {
  // Alone, a factor, and a factor that reaches every third arm.
  const Index n = 400;
  const Matrix rough = kernel_matrix(square(20), exponential_l1(0.5));
  Vector loading = Vector::Ones(n);
  const auto error = [&](const Matrix& covariance) {
    const DenseGaussian f(Vector::Zero(n), covariance);
    return *hazard_of(f, {.regime = HazardRegime::kLocal}).pom.model_error;
  };
  CHECK(error(rough) < 0.01);
  CHECK(error(rough + loading * loading.transpose()) > 0.1);
  for (Index i = 0; i < n; ++i) loading(i) = i % 3 == 0 ? 1.0 : 0.0;
  CHECK(error(rough + loading * loading.transpose()) > 0.01);
}

/// Passes a posterior on without its coordinates.
class Bare final : public GaussianVector {
 public:
  explicit Bare(const GaussianVector& base) : base_(base) {}
  [[nodiscard]] VectorView mean() const override { return base_.mean(); }
  [[nodiscard]] VectorView stddev() const override { return base_.stddev(); }
  [[nodiscard]] bool has_covariance() const override { return true; }
  [[nodiscard]] double covariance(Index i, Index j) const override {
    return base_.covariance(i, j);
  }
  [[nodiscard]] Matrix covariance_columns(std::span<const Index> columns) const override {
    return base_.covariance_columns(columns);
  }

 private:
  const GaussianVector& base_;
};

TEST_CASE("Coordinates lead local hazard to the neighbours that all columns lead to",
          "[estimators][local_hazard]") {
  // Very different length scales, in units that say nothing.
  const std::vector<Index> points{30, 40};
  const Domain domain =
      Domain::grid(Vector::Zero(2), (Vector(2) << 1.0, 1000.0).finished(), points);
  GaussianProcess gp(2,
                     make_kernel(KernelType::kMatern52, (Vector(2) << 0.3, 40.0).finished(), 1.0),
                     {.noise_stddev = 0.1});
  Rng rng = make_stream(3, "local_hazard_fields_test");
  for (int k = 0; k < 40; ++k) {
    gp.add(domain.point(draw_index(rng, domain.size())), draw_normal(rng));
  }
  const GaussianVector& f = gp.posterior(domain);
  REQUIRE(f.coordinates() != nullptr);
  HazardArms near = every_arm(f), all = near;
  find_neighbours(f, {.most = 12}, near);
  find_neighbours(Bare(f), {.most = 12}, all);
  REQUIRE(near.most == 12);
  double found = 0.0, wanted = 0.0;
  for (std::size_t i = 0; i < all.correlation.size(); ++i) {
    found += std::abs(double{near.correlation[i]});
    wanted += std::abs(double{all.correlation[i]});
  }
  CHECK(found > 0.999 * wanted);
  CHECK(hazard_distance(hazard_of(f), hazard_of(Bare(f)).pom.probabilities) < 1e-3);
}

TEST_CASE("Local hazard of a large posterior forms no square matrix",
          "[estimators][local_hazard]") {
  const std::vector<Index> points{100, 100};
  const Domain domain = Domain::grid(Vector::Zero(2), Vector::Constant(2, 99.0), points);
  // A limit on the memory of its blocks that a tenth of 10^4 x 10^4 would exceed.
  GaussianProcess gp(2,
                     make_kernel(KernelType::kMatern52, Vector::Constant(1, 3.0), 1.0),
                     {.noise_stddev = 0.1, .memory_limit = 8e6});
  Rng rng = make_stream(4, "local_hazard_fields_test");
  for (int k = 0; k < 30; ++k) {
    gp.add(domain.point(draw_index(rng, domain.size())), draw_normal(rng));
  }
  const LocalHazardResult result = hazard_of(gp.posterior(domain), {.neighbours = 8});
  CHECK(result.pom.status == Status::kConverged);
  CHECK(result.active_arms > 5000);
}

}  // namespace
