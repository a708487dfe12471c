// SPDX-License-Identifier: MIT
#include <algorithm>  // std::all_of
#include <array>      // nodes
#include <cmath>      // std::exp
#include <pomlux/core/isa.hpp>
#include <pomlux/core/level_tables.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/local_hazard_panels.hpp>

namespace pomlux {

const detail::HazardKernels& detail::hazard_kernels(Isa level) {
  return POMLUX_LEVEL_TABLES(kHazardKernels).at(level, "hazard_kernels");
}

namespace {

constexpr std::size_t kNodes = detail::kHazardLevels;
constexpr Index kPanelChunk = 16;  // arms of a parallel chunk
constexpr Index kSumChunk = 4096;
constexpr std::size_t kSumBlock = 256;
constexpr double kAbove = 5.0;         // standard deviations above its mean that an arm matters
constexpr double kNegligible = 6.0;    // and from which on its hazard counts as 0
constexpr double kSteep = 1.0 - 1e-4;  // correlation that pins a neighbour to the arm

using Nodes = std::array<double, kNodes>;
using Levels = Eigen::Matrix<double, static_cast<int>(kNodes), 1>;

/// Gauss-Legendre on [-1, 1], exact for polynomials up to degree 15.
constexpr Nodes kPlaces = {-0.96028985649753623168,
                           -0.79666647741362673959,
                           -0.52553240991632898582,
                           -0.18343464249564980494,
                           0.18343464249564980494,
                           0.52553240991632898582,
                           0.79666647741362673959,
                           0.96028985649753623168};
constexpr Nodes kWeights = {0.10122853629037625915,
                            0.22238103445337447054,
                            0.31370664587788728734,
                            0.36268378337836198297,
                            0.36268378337836198297,
                            0.31370664587788728734,
                            0.22238103445337447054,
                            0.10122853629037625915};

/// [i][j]: integral from node i to 1 of the Lagrange polynomial of node j.
constexpr std::array<Nodes, kNodes> upper_integrals() {
  std::array<Nodes, kNodes> result{};
  for (std::size_t i = 0; i < kNodes; ++i) {
    const double half = 0.5 * (1.0 - kPlaces[i]);
    for (std::size_t k = 0; k < kNodes; ++k) {
      const double t = kPlaces[i] + half * (1.0 + kPlaces[k]);
      for (std::size_t j = 0; j < kNodes; ++j) {
        double value = 1.0;
        for (std::size_t q = 0; q < kNodes; ++q) {
          if (q != j) value *= (t - kPlaces[q]) / (kPlaces[j] - kPlaces[q]);
        }
        result[i][j] += half * kWeights[k] * value;
      }
    }
  }
  return result;
}
constexpr std::array<Nodes, kNodes> kUpperIntegrals = upper_integrals();

/// Where panels end.
class Panels {
 public:
  Panels(const HazardArms& arms, const Vector& mean, const HazardPanelOptions& options)
      : arms_(arms), mean_(mean), options_(options) {
    top_ = find_top();
    hazard_at_top_ = hazard(top_);
  }

  [[nodiscard]] double top() const { return top_; }

  /// The sum of the hazards of independent arms.
  [[nodiscard]] double hazard(double level) const {
    return parallel_sum(mean_.size(), kSumChunk, [&](Index begin, Index end) {
      double sum = 0.0;
      std::array<double, kSumBlock> values;
      for (Index first = begin; first < end; first += kSumBlock) {
        const auto count = std::min(kSumBlock, static_cast<std::size_t>(end - first));
        for (std::size_t i = 0; i < count; ++i) {
          const Index x = first + static_cast<Index>(i);
          values[i] = (level - mean_(x)) * arms_.inverse_stddev(x);
        }
        normal_reverse_hazard(std::span(values).first(count), std::span(values).first(count));
        for (std::size_t i = 0; i < count; ++i) {
          sum += values[i] * arms_.inverse_stddev(first + static_cast<Index>(i));
        }
      }
      return sum;
    });
  }

  /// The lower end of the panel below top(), given how many times the hazard is that of independent
  /// arms.
  [[nodiscard]] double bottom(double ratio, double floor) {
    double low = std::max(narrow_bottom(), floor);
    for (int tries = 0; tries < kMostTries; ++tries) {
      const double width = top_ - low;
      const double at_low = hazard(low);
      const double predicted =
          ratio * width / 6.0 * (hazard_at_top_ + 4.0 * hazard(low + 0.5 * width) + at_low);
      if (!(predicted > options_.drop) || !(top_ - 0.5 * width < top_)) {
        hazard_at_low_ = at_low;
        return low;
      }
      low = top_ - width * std::max(0.3, 0.9 * options_.drop / predicted);
    }
    hazard_at_low_ = hazard(low);
    return low;
  }

  void go_to(double low) {
    top_ = low;
    hazard_at_top_ = hazard_at_low_;
  }

 private:
  static constexpr int kMostTries = 200;

  /// About where sum_x P(F_x > f) = tail: between what one arm and what all would need.
  [[nodiscard]] double find_top() const {
    constexpr int kHalvings = 12;
    const auto n = static_cast<double>(mean_.size());
    const double one = -normal_quantile(options_.tail), all = -normal_quantile(options_.tail / n);
    double low = (mean_ + one * arms_.stddev).maxCoeff();
    double high = (mean_ + all * arms_.stddev).maxCoeff();
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = low + 0.5 * (high - low);
      const ArmSums sums = sum_normal_cdf({mean_.data(), static_cast<std::size_t>(mean_.size())},
                                          {arms_.stddev.data(), arms_.arms.size()},
                                          middle,
                                          0.0,
                                          {});
      (sums.value > options_.tail ? low : high) = middle;
    }
    return high;
  }

  /// As low as the width of the narrowest arm that matters in between allows.
  [[nodiscard]] double narrow_bottom() const {
    return (top_ - options_.width * arms_.stddev.array())
        .min(mean_.array() + kAbove * arms_.stddev.array())
        .maxCoeff();
  }

  const HazardArms& arms_;
  const Vector& mean_;
  const HazardPanelOptions& options_;
  double top_ = 0.0;
  double hazard_at_top_ = 0.0;
  double hazard_at_low_ = 0.0;
};

/// cos((2 j + 1) pi / 16), j = 0 .. 7: the roots of T_8.
constexpr Nodes kRoots = {0.98078528040323044913,
                          0.83146961230254523708,
                          0.55557023301960222474,
                          0.19509032201612826785,
                          -0.19509032201612826785,
                          -0.55557023301960222474,
                          -0.83146961230254523708,
                          -0.98078528040323044913};

/// [k][j]: what a value at root j adds to the coefficient of T_k.
constexpr std::array<Nodes, kNodes> root_transform() {
  std::array<Nodes, kNodes> result{};
  for (std::size_t j = 0; j < kNodes; ++j) {
    double before = kRoots[j], now = 1.0;  // T_-1 = T_1
    for (std::size_t k = 0; k < kNodes; ++k) {
      result[k][j] = (k == 0 ? 1.0 : 2.0) / static_cast<double>(kNodes) * now;
      const double next = 2.0 * kRoots[j] * now - before;
      before = now;
      now = next;
    }
  }
  return result;
}
constexpr std::array<Nodes, kNodes> kRootTransform = root_transform();

/// The hazards of all arms at the levels of a panel. What neighbours do to an arm varies slowly, so
/// it is computed at eight levels of a piece of the axis as wide as the arm and its neighbours
/// allow, and between them by a polynomial.
class HazardTable {
 public:
  HazardTable(const HazardArms& arms,
              const Vector& mean,
              const std::vector<bool>& propagates,
              const HazardPanelOptions& options)
      : arms_(arms),
        mean_(mean),
        propagates_(propagates),
        options_(options),
        kernels_(detail::hazard_kernels(active_isa_level())),
        values_(kNodes, arms.size()),
        pieces_(arms.arms.size()) {}

  /// At levels between low and top, which fall from call to call.
  void fill(const Nodes& levels, double low, double top) {
    parallel_for(arms_.size(), kPanelChunk, [&](Index begin, Index end) {
      std::vector<double> scratch(detail::hazard_scratch(static_cast<std::size_t>(arms_.most)));
      for (Index x = begin; x < end; ++x) {
        if (is_negligible(x, low)) {
          values_.col(x).setZero();
          continue;
        }
        Piece& piece = pieces_[static_cast<std::size_t>(x)];
        const bool is_steep = arms_.strongest(x) > kSteep;
        if (!is_steep && low < piece.low) start_piece(x, low, top, scratch.data(), piece);
        kernels_.hazard(
            mean_(x), arms_.inverse_stddev(x), piece.ratio, levels.data(), values_.col(x).data());
        if (is_steep) multiply_ratios(x, levels, scratch.data());
      }
    });
  }

  [[nodiscard]] bool is_negligible(Index x, double low) const {
    return (low - mean_(x)) * arms_.inverse_stddev(x) > kNegligible;
  }

  [[nodiscard]] const Eigen::Matrix<double, kNodes, Eigen::Dynamic>& values() const {
    return values_;
  }

  /// Over all arms, of the panel that was filled last, which ended at `low`.
  struct Sums {
    Levels hazard = Levels::Zero();
    Index evaluations = 0;
    Index propagations = 0;
  };
  [[nodiscard]] Sums sums(double low) const {
    std::vector<Sums> parts(static_cast<std::size_t>((arms_.size() + kSumChunk - 1) / kSumChunk));
    parallel_for(arms_.size(), kSumChunk, [&](Index begin, Index end) {
      Sums& part = parts[static_cast<std::size_t>(begin / kSumChunk)];
      for (Index x = begin; x < end; ++x) {
        if (is_negligible(x, low)) continue;
        part.hazard += values_.col(x);
        ++part.evaluations;
        part.propagations += propagates_[static_cast<std::size_t>(x)] ? 1 : 0;
      }
    });
    Sums all;
    for (const Sums& part : parts) {
      all.hazard += part.hazard;
      all.evaluations += part.evaluations;
      all.propagations += part.propagations;
    }
    return all;
  }

 private:
  struct Piece {
    double low = kInfinity;
    detail::RatioSeries ratio{};
  };

  void start_piece(Index x, double low, double top, double* scratch, Piece& piece) const {
    piece.low = -kInfinity;
    piece.ratio = {};
    if (arms_.count[static_cast<std::size_t>(x)] == 0) return;
    const double high = std::min(top, mean_(x) + kNegligible * arms_.stddev(x));
    piece.low = std::min(low, lowest(x, high));
    const double half = 0.5 * (high - piece.low);
    piece.ratio.centre = piece.low + half;
    piece.ratio.inverse_half = half > 0.0 ? 1.0 / half : 0.0;
    Nodes levels, values;
    for (std::size_t j = 0; j < kNodes; ++j) levels[j] = piece.ratio.centre + half * kRoots[j];
    if (!find_ratios(x, levels, scratch, values)) return;
    for (std::size_t k = 0; k < kNodes; ++k) {
      double sum = 0.0;
      for (std::size_t j = 0; j < kNodes; ++j) sum += kRootTransform[k][j] * values[j];
      piece.ratio.coefficients[k] = sum;
    }
  }

  /// As low as the width of the narrowest among arm and neighbours allows that matter in between.
  [[nodiscard]] double lowest(Index x, double high) const {
    double low = high - options_.piece_width * arms_.stddev(x);
    const auto count = static_cast<Index>(arms_.count[static_cast<std::size_t>(x)]);
    for (Index k = 0; k < count; ++k) {
      const Index z = arms_.neighbours[static_cast<std::size_t>(x * arms_.most + k)];
      const double stddev = arms_.stddev(z);
      low =
          std::max(low, std::min(high - options_.piece_width * stddev, mean_(z) + kAbove * stddev));
    }
    return low;
  }

  /// Level by level, where no polynomial follows.
  void multiply_ratios(Index x, const Nodes& levels, double* scratch) {
    constexpr double kMostLogRatio = 5.0;
    Nodes ratios;
    if (!find_ratios(x, levels, scratch, ratios)) return;
    for (std::size_t l = 0; l < kNodes; ++l) {
      values_(static_cast<Index>(l), x) *= std::exp(std::min(ratios[l], kMostLogRatio));
    }
  }

  /// Should moments fail on a covariance, with less of it. False if all do.
  bool find_ratios(Index x, const Nodes& levels, double* scratch, Nodes& ratios) const {
    const auto is_finite = [](double value) { return std::isfinite(value); };
    const detail::HazardArm arm = arms_.view(x, mean_.data());
    if (propagates_[static_cast<std::size_t>(x)]) {
      kernels_.propagation(arm, levels.data(), scratch, ratios.data());
      if (std::all_of(ratios.begin(), ratios.end(), is_finite)) return true;
    }
    kernels_.sequential(arm, levels.data(), scratch, ratios.data());
    return std::all_of(ratios.begin(), ratios.end(), is_finite);
  }

  const HazardArms& arms_;
  const Vector& mean_;
  const std::vector<bool>& propagates_;
  const HazardPanelOptions& options_;
  const detail::HazardKernels& kernels_;
  Eigen::Matrix<double, kNodes, Eigen::Dynamic> values_;
  std::vector<Piece> pieces_;
};

}  // namespace

HazardSolution integrate_hazard(const HazardArms& arms,
                                const Vector& mean,
                                const std::vector<bool>& propagates,
                                double floor,
                                const HazardPanelOptions& options) {
  constexpr double kMostRatio = 1.5, kRatioMargin = 1.3;
  const Index n = arms.size();
  HazardSolution result;
  result.probabilities = Vector::Zero(n);
  Panels panels(arms, mean, options);
  if (floor >= panels.top()) {
    result.is_complete = true;
    return result;
  }
  HazardTable table(arms, mean, propagates, options);
  double log_rest = 0.0, ratio = 1.0;
  Index evaluations = 0, propagations = 0;
  while (result.panels < options.max_panels && !result.is_complete) {
    const double low = panels.bottom(ratio, floor);
    const double half = 0.5 * (panels.top() - low);
    Nodes levels;
    for (std::size_t i = 0; i < kNodes; ++i) levels[i] = low + half * (1.0 + kPlaces[i]);
    table.fill(levels, low, panels.top());
    const HazardTable::Sums sums = table.sums(low);
    const Levels& sum = sums.hazard;
    evaluations += sums.evaluations;
    propagations += sums.propagations;
    Levels weights;
    double fall = 0.0;
    for (std::size_t i = 0; i < kNodes; ++i) {
      double above = 0.0;
      for (std::size_t j = 0; j < kNodes; ++j) {
        above += kUpperIntegrals[i][j] * sum(static_cast<Index>(j));
      }
      weights(static_cast<Index>(i)) =
          half * kWeights[i] * std::exp(log_rest - half * std::max(above, 0.0));
      fall += half * kWeights[i] * sum(static_cast<Index>(i));
    }
    parallel_for(n, kSumChunk, [&](Index begin, Index end) {
      result.probabilities.segment(begin, end - begin).noalias() +=
          table.values().middleCols(begin, end - begin).transpose() * weights;
    });
    log_rest -= fall;
    ratio = std::min(kMostRatio, kRatioMargin * sum(0) / panels.hazard(levels[0]));
    if (std::isnan(ratio)) ratio = 1.0;
    panels.go_to(low);
    ++result.panels;
    result.is_complete = log_rest < std::log(options.least_probability) || low <= floor;
  }
  result.rest = std::exp(log_rest);
  result.mass = result.probabilities.sum();
  result.propagated_share =
      evaluations > 0 ? static_cast<double>(propagations) / static_cast<double>(evaluations) : 0.0;
  return result;
}

}  // namespace pomlux
