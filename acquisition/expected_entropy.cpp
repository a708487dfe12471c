// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <array>      // blocks of samples
#include <cmath>      // std::log
#include <optional>   // thresholds
#include <pomlux/acquisition/expected_entropy.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/joint_argmax.hpp>
#include <pomlux/estimators/threshold.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <span>    // blocks of samples
#include <vector>  // counts

namespace pomlux {
namespace {

/// Asks the estimator about each belief.
class PlainEntropy final : public ExpectedEntropy {
 public:
  PlainEntropy(const PomEstimator& estimator, const GaussianVector& present, Rng& rng)
      : estimator_(estimator) {
    const Rng before = rng;
    present_ = estimator.estimate(present, rng).entropy();
    // Only an estimator that draws has moved the stream.
    if (rng != before) key_ = rng();
  }

  [[nodiscard]] double present() const override { return present_; }

  [[nodiscard]] double after(HypotheticalPosterior& after,
                             const Innovations& innovations) const override {
    const auto count = static_cast<std::uint64_t>(innovations.values.size());
    Rng rng;
    double sum = 0.0;
    for (Index k = 0; k < innovations.values.size(); ++k) {
      if (key_) {
        const auto index =
            static_cast<std::uint64_t>(after.candidate()) * count + static_cast<std::uint64_t>(k);
        rng = make_stream(*key_, "entropy_search", index);
      }
      after.set_innovation(innovations.values(k));
      sum += innovations.weights(k) * estimator_.estimate(after, rng).entropy();
    }
    return sum;
  }

 private:
  const PomEstimator& estimator_;
  double present_ = 0.0;
  std::optional<std::uint64_t> key_;
};

/// F-LITE, from threshold to threshold: kappa is a smooth function of the innovation.
class FLiteEntropy final : public ExpectedEntropy {
 public:
  FLiteEntropy(const FLiteOptions& options, const GaussianVector& present)
      : options_{.epsilon = effective_epsilon(options.epsilon, options.alpha, present.size()),
                 .root = options.root,
                 .max_iterations = options.max_iterations} {
    const ThresholdSolution solution =
        solve_threshold(present.mean(), present.stddev(), Sigmoid::kNormalCdf, options_);
    present_ = solution.pom.entropy();
    kappa_ = solution.pom.kappa;
  }

  [[nodiscard]] double present() const override { return present_; }

  /// From the middle of the innovations to either end.
  [[nodiscard]] double after(HypotheticalPosterior& after,
                             const Innovations& innovations) const override {
    const Vector& t = innovations.values;
    const Index n = t.size();
    Index middle = 0;
    t.cwiseAbs().minCoeff(&middle);
    std::vector<std::optional<double>> kappa(static_cast<std::size_t>(n));
    ThresholdOptions options = options_;
    double sum = 0.0;
    const auto solve = [&](Index k, std::optional<double> start) {
      options.start = start;
      after.set_innovation(t(k));
      const Pom pom =
          solve_threshold(after.mean(), after.stddev(), Sigmoid::kNormalCdf, options).pom;
      kappa[static_cast<std::size_t>(k)] = pom.kappa;
      sum += innovations.weights(k) * pom.entropy();
    };
    // The line through the two solved last, `step` and 2 `step` away.
    const auto predicted = [&](Index k, Index step) -> std::optional<double> {
      const std::optional<double> near = kappa[static_cast<std::size_t>(k + step)];
      const Index far = k + 2 * step;
      if (far < 0 || far >= n || t(far) == t(k + step)) return near;
      const std::optional<double> other = kappa[static_cast<std::size_t>(far)];
      if (!near || !other) return near;
      return *near + (*near - *other) * ((t(k) - t(k + step)) / (t(k + step) - t(far)));
    };
    solve(middle, kappa_);
    for (Index k = middle + 1; k < n; ++k) {
      solve(k, k - 2 >= middle ? predicted(k, -1) : kappa[static_cast<std::size_t>(k - 1)]);
    }
    for (Index k = middle - 1; k >= 0; --k) solve(k, predicted(k, 1));
    return sum;
  }

 private:
  ThresholdOptions options_;
  double present_ = 0.0;
  std::optional<double> kappa_;
};

/// Counts of the largest arm.
using Counts = std::vector<Index>;

double entropy_of(const Counts& counts, std::uint64_t samples) {
  double sum = 0.0;
  for (const Index count : counts) {
    if (count == 0) continue;
    const double p = static_cast<double>(count) / static_cast<double>(samples);
    sum -= p * std::log(p);
  }
  return std::max(sum, 0.0);
}

/// TS-MC with fresh samples for every hypothesis, from one square root of the covariance.
class SampledEntropy final : public ExpectedEntropy {
 public:
  SampledEntropy(const TsMcOptions& options, const GaussianVector& present, Rng& rng)
      : samples_(options.alpha > 0.0 ? ts_mc_samples(options.alpha, present.size())
                                     : options.samples),
        key_(rng()),
        sampler_(present, options.precision, options.memory_limit) {
    // As many samples as a hypothesis has, for the same bias; a mean of several, for less noise.
    const std::uint64_t key = rng();
    for (std::uint64_t k = 0; k < kPresentEstimates; ++k) {
      const double entropy = entropy_after([&](std::uint64_t first, std::span<Index> argmax) {
        sampler_.draw(key, k * samples_ + first, argmax);
      });
      present_ += entropy / static_cast<double>(kPresentEstimates);
    }
  }

  [[nodiscard]] double present() const override { return present_; }

  [[nodiscard]] double after(HypotheticalPosterior& after,
                             const Innovations& innovations) const override {
    const Index n = innovations.values.size();
    const Vector column = after.observation_stddev() * after.direction();
    double sum = 0.0;
    for (Index k = 0; k < n; ++k) {
      const JointObservation observation{
          .arm = after.candidate(),
          .column = {column.data(), column.size()},
          .noise_stddev = after.noise_stddev(),
          .innovation = innovations.values(k) * after.observation_stddev()};
      const std::uint64_t start = static_cast<std::uint64_t>(after.candidate() * n + k) * samples_;
      sum +=
          innovations.weights(k) * entropy_after([&](std::uint64_t first, std::span<Index> argmax) {
            sampler_.draw_given(observation, key_, start + first, argmax);
          });
    }
    return sum;
  }

 private:
  /// Of samples that draw(first, argmax) gives in blocks.
  template <typename Draw>
  [[nodiscard]] double entropy_after(const Draw& draw) const {
    std::array<Index, JointArgmax::kChunk> argmax;
    Counts counts(static_cast<std::size_t>(sampler_.size()), 0);
    for (std::uint64_t first = 0; first < samples_; first += argmax.size()) {
      const std::size_t count = std::min<std::uint64_t>(argmax.size(), samples_ - first);
      const std::span<Index> block = std::span(argmax).first(count);
      draw(first, block);
      for (const Index arm : block) ++counts[static_cast<std::size_t>(arm)];
    }
    return entropy_of(counts, samples_);
  }

  static constexpr std::uint64_t kPresentEstimates = 16;
  std::uint64_t samples_;
  std::uint64_t key_;
  JointArgmax sampler_;
  double present_ = 0.0;
};

}  // namespace

std::unique_ptr<ExpectedEntropy> make_expected_entropy(const PomEstimator& estimator,
                                                       const GaussianVector& present,
                                                       Rng& rng) {
  if (const auto* const f_lite = dynamic_cast<const FLite*>(&estimator)) {
    return std::make_unique<FLiteEntropy>(f_lite->options(), present);
  }
  const auto* const ts_mc = dynamic_cast<const TsMc*>(&estimator);
  if (ts_mc != nullptr && present.has_covariance()) {
    return std::make_unique<SampledEntropy>(ts_mc->options(), present, rng);
  }
  return make_plain_expected_entropy(estimator, present, rng);
}

std::unique_ptr<ExpectedEntropy> make_plain_expected_entropy(const PomEstimator& estimator,
                                                             const GaussianVector& present,
                                                             Rng& rng) {
  return std::make_unique<PlainEntropy>(estimator, present, rng);
}

}  // namespace pomlux
