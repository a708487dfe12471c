// SPDX-License-Identifier: MIT
#include <cmath>
#include <pomlux/acquisition/joint_sampler.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/gp/gaussian_process.hpp>

#include "catch.hpp"
#include "dense.hpp"

namespace {

using namespace pomlux;

/// Unit variances, correlation exp(-|i - j| / length): a Matérn 1/2 process, as rough as they come.
Matrix rough_covariance(Index n, double length) {
  Matrix result(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      result(i, j) = std::exp(-std::abs(static_cast<double>(i - j)) / length);
    }
  }
  return result;
}

Matrix smooth_covariance(Index n, double length) {
  Matrix result(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      result(i, j) = std::exp(-0.5 * std::pow(static_cast<double>(i - j) / length, 2));
    }
  }
  return result;
}

/// Largest distance of the moments of `m` samples to those of `f`, in standard errors, beyond
/// `slack` for two different arms.
double largest_z_score(const GaussianVector& f,
                       const JointSampler& sampler,
                       Index m,
                       double slack) {
  Rng rng = make_stream(7, "test");
  const Matrix samples = sampler.draw(m, rng).colwise() - f.mean();
  const Matrix covariance = f.covariance_matrix();
  const auto count = static_cast<double>(m);
  const Vector means = samples.rowwise().mean();
  const Matrix products = test::outer_product(samples) / count;
  double worst = 0.0;
  for (Index j = 0; j < f.size(); ++j) {
    worst = std::max(worst, std::abs(means(j)) * std::sqrt(count / covariance(j, j)));
    for (Index i = 0; i <= j; ++i) {
      const double error = std::sqrt(
          (covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j)) / count);
      const double distance = std::abs(products(i, j) - covariance(i, j));
      worst = std::max(worst, (distance - (i == j ? 0.0 : slack)) / error);
    }
  }
  return worst;
}

/// 80 x 80 moments: the largest of 3240 standard normals exceeds this with probability 2e-4.
constexpr double kLargestZScore = 5.5;

}  // namespace

TEST_CASE("Joint samples have the mean and covariance of the vector",
          "[acquisition][joint_sampler]") {
  constexpr Index kArms = 80;
  const Vector mean = Vector::LinSpaced(kArms, -1.0, 1.0);
  for (const bool is_smooth : {true, false}) {
    const DenseGaussian f(mean,
                          is_smooth ? smooth_covariance(kArms, 8.0) : rough_covariance(kArms, 8.0));
    Rng rng = make_stream(1, "test");
    const JointSampler sampler(f, rng);
    CAPTURE(is_smooth, sampler.rank());
    CHECK((sampler.rank() < kArms) == is_smooth);  // numerically singular
    CHECK(sampler.residual() < 5e-7);              // the root of the stated 2.3e-13
    CHECK(largest_z_score(f, sampler, 20000, 0.0) < kLargestZScore);
  }
}

TEST_CASE("Low rank keeps every variance and is off by what it states elsewhere",
          "[acquisition][joint_sampler]") {
  constexpr Index kArms = 80;
  const Vector scale = Vector::LinSpaced(kArms, 0.5, 2.0);
  const DenseGaussian f(Vector::Zero(kArms),
                        scale.asDiagonal() * rough_covariance(kArms, 40.0) * scale.asDiagonal());
  double last = 1.0;
  for (const Index rank : {1, 5, 20, 80}) {
    Rng rng = make_stream(2, "test");
    const JointSampler sampler(f, rng, {.method = SamplingMethod::kLowRank, .max_rank = rank});
    CAPTURE(rank, sampler.residual());
    CHECK(sampler.rank() == rank);
    CHECK(sampler.residual() < last);
    last = sampler.residual();
    CHECK(largest_z_score(f, sampler, 20000, std::pow(2.0 * last, 2)) < kLargestZScore);
  }
  CHECK(last == 0.0);  // every arm is a pivot
}

TEST_CASE("Arms of very different sizes keep their correlations", "[acquisition][joint_sampler]") {
  const Vector scale = Eigen::Vector3d(1e-9, 1e-9, 1e3);
  Matrix correlation = Matrix::Identity(3, 3);
  correlation(0, 1) = correlation(1, 0) = -0.9;
  const DenseGaussian f(Vector::Zero(3), scale.asDiagonal() * correlation * scale.asDiagonal());
  Rng rng = make_stream(8, "test");
  const JointSampler sampler(f, rng);
  CHECK(sampler.rank() == 3);
  CHECK(largest_z_score(f, sampler, 20000, 0.0) < kLargestZScore);
}

TEST_CASE("Samples of a posterior agree with the root of its covariance",
          "[acquisition][joint_sampler]") {
  const Domain domain(Points(Vector::LinSpaced(80, 0.0, 10.0)));
  GaussianProcess model(1,
                        make_kernel(KernelType::kMatern52, Vector::Ones(1), 1.0),
                        GaussianProcessOptions{.noise_stddev = 0.1});
  for (const double x : {1.0, 2.5, 6.0}) model.add(Point::Constant(1, x), std::sin(x));
  const GaussianVector& f = model.posterior(domain);
  Rng rng = make_stream(3, "test");
  const JointSampler sampler(f, rng, {.method = SamplingMethod::kLowRank});
  CHECK(sampler.residual() < 1e-3);
  CHECK(largest_z_score(f, sampler, 20000, 0.0) < kLargestZScore);
}

TEST_CASE("Maxima are those of the samples, on any number of threads",
          "[acquisition][joint_sampler]") {
  constexpr Index kArms = 3000;  // several chunks
  const DenseGaussian f(Vector::LinSpaced(kArms, 0.0, 1.0), rough_covariance(kArms, 50.0));
  const JointSamplerOptions options{.max_rank = 150};
  Matrix samples;
  Vector maxima;
  with_threads(1, [&] {
    Rng rng = make_stream(4, "test");
    const JointSampler sampler(f, rng, options);
    CHECK(sampler.rank() == 150);
    Rng again = rng;
    samples = sampler.draw(3, rng);
    maxima = sampler.draw_maxima(3, again);
    CHECK(rng == again);
  });
  CHECK(maxima == Vector(samples.colwise().maxCoeff()));
  with_threads(4, [&] {
    Rng rng = make_stream(4, "test");
    CHECK(JointSampler(f, rng, options).draw(3, rng) == samples);
  });
}

TEST_CASE("Vectors without covariance, certain ones and single arms are sampled",
          "[acquisition][joint_sampler]") {
  Rng rng = make_stream(5, "test");
  const IndependentGaussian independent(Vector::Zero(2), Eigen::Vector2d(2.0, 0.0));
  const JointSampler plain(independent, rng);
  CHECK(plain.rank() == 0);
  CHECK(plain.residual() == 1.0);
  const Matrix samples = plain.draw(20000, rng);
  CHECK_THAT(samples.row(0).squaredNorm() / 20000, WithinAbs(4.0, 5.0 * 4.0 * std::sqrt(2e-4 / 2)));
  CHECK(samples.row(1) == Eigen::RowVectorXd::Zero(20000));
  for (const SamplingMethod method : {SamplingMethod::kExact, SamplingMethod::kLowRank}) {
    const DenseGaussian certain(Eigen::Vector2d(1.0, 3.0), Matrix::Zero(2, 2));
    const JointSampler sampler(certain, rng, {.method = method});
    CHECK(sampler.residual() == 0.0);
    CHECK(sampler.draw_maxima(2, rng) == Vector::Constant(2, 3.0));
    const DenseGaussian single(Vector::Zero(1), Matrix::Identity(1, 1));
    CHECK(JointSampler(single, rng, {.method = method}).draw(5, rng).allFinite());
    CHECK(sampler.draw(0, rng).cols() == 0);
  }
}

/// Two arms with a correlation of 2.
class Impossible final : public GaussianVector {
 public:
  [[nodiscard]] VectorView mean() const override { return {zero_.data(), 2}; }
  [[nodiscard]] VectorView stddev() const override { return {one_.data(), 2}; }
  [[nodiscard]] bool has_covariance() const override { return true; }
  [[nodiscard]] double covariance(Index i, Index j) const override { return i == j ? 1.0 : -2.0; }

 private:
  Vector zero_ = Vector::Zero(2), one_ = Vector::Ones(2);
};

TEST_CASE("A sampler refuses correlations beyond 1", "[acquisition][joint_sampler]") {
  Rng rng = make_stream(6, "test");
  for (const SamplingMethod method : {SamplingMethod::kExact, SamplingMethod::kLowRank}) {
    CHECK_THROWS_WITH(JointSampler(Impossible(), rng, {.method = method}),
                      ContainsSubstring("a correlation of -2"));
  }
}

TEST_CASE("A sampler refuses options out of range and what does not fit",
          "[acquisition][joint_sampler]") {
  const DenseGaussian f(Vector::Zero(100), Matrix::Identity(100, 100));
  Rng rng = make_stream(6, "test");
  CHECK_THROWS_WITH(JointSampler(f, rng, {.max_rank = 0}), ContainsSubstring("max_rank is 0"));
  CHECK_THROWS_WITH(JointSampler(f, rng, {.memory_limit = 0.0}),
                    ContainsSubstring("memory_limit is 0"));
  constexpr double kNeeded = 100.0 * 7.0 * sizeof(double);
  JointSamplerOptions options{SamplingMethod::kLowRank, 7, kNeeded - 1.0};
  CHECK_THROWS_AS(JointSampler(f, rng, options), MemoryLimitExceeded);
  options.memory_limit = kNeeded;
  CHECK(JointSampler(f, rng, options).rank() == 7);
}
