// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/acquisition.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/pom_estimator.hpp>
#include <pomlux/core/surrogate.hpp>
#include <stdexcept>
#include <vector>

namespace pomlux::test {

/// What a test sees of, and does to, the parts inside an optimiser.
struct Probe {
  int fits = 0;
  std::vector<double> fit_draws;  ///< first uniform of every fit's stream
  bool throws_in_add = false;
  bool throws_in_fit = false;
  bool throws_in_posterior = false;
  int scores_until_throw = -1;  ///< -1: never
};

/// A model without arithmetic of interest: candidates are independent, the mean is the average of
/// what was told there (0 before), the standard deviation 1 / sqrt(1 + count).
class FakeSurrogate final : public Surrogate {
 public:
  FakeSurrogate(Index dimension, Probe& probe) : dimension_(dimension), probe_(probe) {}
  std::unique_ptr<Surrogate> clone() const override {
    return std::make_unique<FakeSurrogate>(dimension_, probe_);
  }
  Index dimension() const override { return dimension_; }
  Index num_observations() const override { return static_cast<Index>(values_.size()); }
  void add(const PointRef& point, double value, std::optional<double>) override {
    if (probe_.throws_in_add) throw std::runtime_error("add");
    points_.emplace_back(point);
    values_.push_back(value);
  }
  void clear() override {}
  void add_pending(const PointRef&) override {}
  void clear_pending() override {}
  FitReport fit(Rng& rng) override {
    if (probe_.throws_in_fit) throw std::runtime_error("fit");
    ++probe_.fits;
    probe_.fit_draws.push_back(draw_uniform(rng));
    FitReport report;
    report.status = Status::kConverged;
    return report;
  }
  std::vector<Hyperparameter> hyperparameters() const override { return {}; }
  void set_hyperparameters(const std::vector<Hyperparameter>&) override {}
  Vector exact_parameters() const override { return Vector::Constant(1, probe_.fits); }
  void restore(const PointsRef& points,
               const VectorRef& values,
               const VectorRef&,
               const VectorRef&) override {
    for (Index i = 0; i < values.size(); ++i) add(points.row(i), values(i), std::nullopt);
  }
  double log_likelihood() const override { return 0.0; }
  double noise_stddev() const override { return 0.25; }
  double jitter() const override { return 0.0; }
  const GaussianVector& posterior(const Domain& domain) override {
    if (probe_.throws_in_posterior) throw std::runtime_error("posterior");
    Vector sum = Vector::Zero(domain.size()), count = Vector::Zero(domain.size());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      sum(domain.find(points_[i])) += values_[i];
      count(domain.find(points_[i])) += 1.0;
    }
    const Vector mean = sum.array() / count.array().max(1.0);
    const Vector stddev = (1.0 + count.array()).sqrt().inverse();
    posterior_ = std::make_unique<IndependentGaussian>(mean, stddev);
    return *posterior_;
  }
  Marginals predict(const PointsRef&) const override { return {}; }
  Matrix covariance(const PointsRef&, const PointsRef&) const override { return {}; }
  Matrix sample(const PointsRef&, Index, Rng&) const override { return {}; }
  PointGradient gradient(const PointRef&) const override { return {}; }

 private:
  Index dimension_;
  Probe& probe_;
  std::vector<Point> points_;
  std::vector<double> values_;
  std::unique_ptr<IndependentGaussian> posterior_;
};

/// mean + stddev, plus a random number of size `noise`. Keeps the last context's numbers.
class FakeAcquisition final : public Acquisition {
 public:
  explicit FakeAcquisition(Probe& probe, double noise = 0.0) : probe_(probe), noise_(noise) {}

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override {
    if (probe_.scores_until_throw == 0) throw std::runtime_error("score");
    if (probe_.scores_until_throw > 0) --probe_.scores_until_throw;
    Vector scores(static_cast<Index>(subset.size()));
    for (Index i = 0; i < scores.size(); ++i) {
      const Index candidate = subset[static_cast<std::size_t>(i)];
      scores(i) = context.posterior.mean()(candidate) + context.posterior.stddev()(candidate);
      if (noise_ > 0.0) scores(i) += noise_ * draw_uniform(rng);
    }
    return scores;
  }
  Probe& probe_;
  double noise_;
};

/// All mass on the largest mean.
class FakeEstimator final : public PomEstimator {
  Pom do_estimate(const GaussianVector& f, Rng&) const override {
    Index best = 0;
    f.mean().maxCoeff(&best);
    Pom pom;
    pom.probabilities = Vector::Unit(f.size(), best);
    pom.status = Status::kConverged;
    return pom;
  }
};

}  // namespace pomlux::test
