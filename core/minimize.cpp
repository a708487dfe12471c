// SPDX-License-Identifier: MIT
#include <LBFGSB.h>  // bounded L-BFGS; included here alone

#include <algorithm>  // std::clamp, std::max
#include <cmath>      // std::isfinite
#include <exception>  // the solver's exceptions
#include <pomlux/core/minimize.hpp>
#include <utility>  // std::forward
#include <vector>   // free coordinates

namespace pomlux {
namespace {

constexpr int kFreshStarts = 5;       // restarts with empty memory, from the best point
constexpr int kLineSearchSteps = 40;  // evaluations of one line search
/// A stop on the value alone is believed if the projected gradient is within this factor of its
/// tolerance; otherwise a fresh start has to confirm it, as a step cut short by a bound also moves
/// the value little.
constexpr double kGradientSlack = 1e3;

/// Thrown through the solver, never out of this file: the best point is stationary, or as good as
/// it can get to be does not suffice.
struct BestPointFound {};
/// Likewise: the solver asks for a point that is not finite.
struct SolverBroken {};
/// Likewise: f was called as often as it may be.
struct EvaluationsUsedUp {};

/// What LBFGS++ sees: the free coordinates only, finite numbers only. It remembers the best point,
/// because the solver throws from its line searches and some of its normal returns carry a NaN.
class GuardedFunction {
 public:
  GuardedFunction(const ObjectiveWithGradient& f,
                  const Vector& start,
                  const Bounds& bounds,
                  const MinimizeOptions& options)
      : f_(f), options_(options), x_(start), gradient_(start.size()) {
    for (Index i = 0; i < start.size(); ++i) {
      if (bounds.lower(i) < bounds.upper(i)) free_.push_back(i);
    }
    lower_ = bounds.lower(free_);
    upper_ = bounds.upper(free_);
    last_x_ = start(free_);
    last_gradient_ = Vector::Zero(last_x_.size());
  }

  /// f at the start; false if it has no value there.
  [[nodiscard]] bool evaluate_start() {
    const Vector x = last_x_;
    const double value = evaluate(x);
    if (std::isfinite(value) && gradient_.allFinite()) accept(x, value, gradient_(free_));
    return has_best_;
  }

  /// Called by the solver, after evaluate_start(). @throws BestPointFound, SolverBroken,
  /// EvaluationsUsedUp, and what f throws.
  double operator()(const Vector& x, Vector& gradient) {
    if (!x.allFinite()) throw SolverBroken{};
    // A new attempt starts at the best point: its value is known.
    if (x == best_free_x_) {
      gradient = best_free_gradient_;
      return remember_last(x, best_value_, gradient);
    }
    if (options_.max_evaluations && evaluations_ >= *options_.max_evaluations) {
      throw EvaluationsUsedUp{};
    }
    const double value = evaluate(x);
    if (std::isfinite(value) && gradient_.allFinite()) {
      gradient = gradient_(free_);
      if (value < best_value_) {
        accept(x, value, gradient);
        if (is_stationary() || is_out_of_reach()) throw BestPointFound{};
      }
      return remember_last(x, value, gradient);
    }
    return substitute(x, gradient);
  }

  /// The last point evaluated is where the next line search starts.
  void begin_line_search() {
    ++iterations_;
    line_value_ = last_value_;
    line_x_ = last_x_;
    line_gradient_ = last_gradient_;
  }

  [[nodiscard]] const Vector& best_x() const { return best_x_; }
  [[nodiscard]] const Vector& best_free_x() const { return best_free_x_; }
  [[nodiscard]] double best_value() const { return best_value_; }
  [[nodiscard]] const Vector& lower() const { return lower_; }
  [[nodiscard]] const Vector& upper() const { return upper_; }
  [[nodiscard]] int evaluations() const { return evaluations_; }
  [[nodiscard]] int iterations() const { return iterations_; }
  /// Whether the exception in flight came out of f.
  [[nodiscard]] bool is_inside_f() const { return is_inside_f_; }

  /// Whether the projected gradient at the best point is within `slack` times its tolerance.
  [[nodiscard]] bool is_stationary(double slack = 1.0) const {
    double largest = 0.0;
    for (Index i = 0; i < best_free_x_.size(); ++i) {
      const double moved =
          std::clamp(best_free_x_(i) - best_free_gradient_(i), lower_(i), upper_(i));
      largest = std::max(largest, std::abs(moved - best_free_x_(i)));
    }
    return largest <= slack * options_.gradient_tolerance * std::max(1.0, std::abs(best_value_));
  }
  /// Whether a convex f could not fall to the target.
  [[nodiscard]] bool is_out_of_reach() const {
    if (options_.target == kInfinity) return false;
    double fall = 0.0;
    for (Index i = 0; i < best_free_x_.size(); ++i) {
      const double slope = best_free_gradient_(i);
      const double room = slope > 0.0 ? best_free_x_(i) - lower_(i) : upper_(i) - best_free_x_(i);
      if (slope != 0.0) fall += std::abs(slope) * std::min(options_.reach, room);
    }
    return best_value_ - fall > options_.target;
  }

 private:
  /// f at x clipped into the bounds, which the solver may leave by a rounding; also gradient_.
  double evaluate(const Vector& x) {
    for (Index i = 0; i < x.size(); ++i) {
      x_(free_[static_cast<std::size_t>(i)]) = std::clamp(x(i), lower_(i), upper_(i));
    }
    gradient_.setConstant(kNaN);  // an entry f forgets to write must not look like a number
    ++evaluations_;
    is_inside_f_ = true;  // stays true if f throws
    const double value = f_(x_, gradient_);
    require_same_size("minimize", "the gradient written by f", gradient_.size(), "x", x_.size());
    is_inside_f_ = false;
    return value;
  }

  void accept(const Vector& x, double value, const Vector& gradient) {
    has_best_ = true;
    best_value_ = value;
    best_x_ = x_;
    best_free_x_ = x.cwiseMax(lower_).cwiseMin(upper_);
    best_free_gradient_ = gradient;
  }

  double remember_last(const Vector& x, double value, const Vector& gradient) {
    last_x_ = x;
    last_gradient_ = gradient;
    last_value_ = value;
    return value;
  }

  /// For a point without a value: on the line from the start of the line search, the value s t and
  /// the slope 2 s, where -s is the slope at the start. Interpolation then steps back to about a
  /// quarter, and neither the decrease nor the curvature condition can hold.
  double substitute(const Vector& x, Vector& gradient) {
    gradient = x - line_x_;
    const double slope = std::abs(gradient.dot(line_gradient_));
    const double length_squared = gradient.squaredNorm();
    if (!(slope > 0.0 && std::isfinite(slope) && length_squared > 0.0)) throw SolverBroken{};
    gradient *= 2.0 * slope / length_squared;
    if (!gradient.allFinite()) throw SolverBroken{};
    return remember_last(x, line_value_ + slope, gradient);
  }

  const ObjectiveWithGradient& f_;
  const MinimizeOptions& options_;
  std::vector<Index> free_;  // coordinates with lower < upper
  Vector lower_, upper_;     // of the free coordinates
  Vector x_, gradient_;      // all coordinates, as f sees them
  Vector best_x_;            // all coordinates
  Vector best_free_x_, best_free_gradient_;
  Vector last_x_, last_gradient_;
  Vector line_x_, line_gradient_;
  double best_value_ = kNaN, last_value_ = kNaN, line_value_ = kNaN;
  bool has_best_ = false, is_inside_f_ = false;
  int evaluations_ = 0, iterations_ = 0;
};

/// The solver's own line search, which also tells the function where it starts. The arguments of
/// LineSearch differ between versions of LBFGS++.
template <typename Scalar>
struct ObservedLineSearch {
  template <typename... Arguments>
  static void LineSearch(GuardedFunction& f, Arguments&&... arguments) {
    f.begin_line_search();
    LBFGSpp::LineSearchMoreThuente<Scalar>::LineSearch(f, std::forward<Arguments>(arguments)...);
  }
};

LBFGSpp::LBFGSBParam<double> solver_parameters(const MinimizeOptions& options, int iterations) {
  LBFGSpp::LBFGSBParam<double> parameters;
  parameters.m = options.memory;
  parameters.epsilon = 0.0;  // GuardedFunction applies the gradient tolerance
  parameters.epsilon_rel = 0.0;
  parameters.past = options.value_tolerance > 0.0 ? 1 : 0;
  parameters.delta = options.value_tolerance;
  parameters.max_iterations = iterations;
  parameters.max_linesearch = kLineSearchSteps;
  return parameters;
}

void validate_problem(const VectorRef& start, const Bounds& bounds) {
  require_same_size("minimize", "start", start.size(), "bounds.lower", bounds.lower.size());
  require_same_size("minimize", "start", start.size(), "bounds.upper", bounds.upper.size());
  for (Index i = 0; i < start.size(); ++i) {
    const std::string at = std::string("[").append(format_number(i)).append("]");
    if (!(bounds.lower(i) <= bounds.upper(i))) {
      fail("minimize",
           "bounds.lower" + at + " is " + format_number(bounds.lower(i)) + " and bounds.upper" +
               at + " is " + format_number(bounds.upper(i)) + "; lower must be <= upper");
    }
    if (!std::isfinite(std::clamp(start(i), bounds.lower(i), bounds.upper(i)))) {
      fail("minimize", "start" + at + " is " + format_number(start(i)) + "; must be finite");
    }
  }
}

enum class Attempt { kReturned, kDone, kUsedUp, kFailed };

/// One run of the solver with empty memory from the best point.
Attempt attempt(GuardedFunction& guarded, const MinimizeOptions& options) {
  // The solver keeps a reference to its parameters, so they must outlive it.
  const LBFGSpp::LBFGSBParam<double> parameters =
      solver_parameters(options, options.max_iterations - guarded.iterations());
  LBFGSpp::LBFGSBSolver<double, ObservedLineSearch> solver(parameters);
  Vector x = guarded.best_free_x();
  double value = kNaN;
  try {
    solver.minimize(guarded, x, value, guarded.lower(), guarded.upper());
  } catch (const BestPointFound&) {
    return Attempt::kDone;
  } catch (const EvaluationsUsedUp&) {
    return Attempt::kUsedUp;
  } catch (const SolverBroken&) {
    return Attempt::kFailed;
  } catch (const std::exception&) {
    if (guarded.is_inside_f()) throw;
    return Attempt::kFailed;  // a line search of the solver gave up
  }
  return Attempt::kReturned;
}

Status run_attempts(GuardedFunction& guarded, const MinimizeOptions& options) {
  double before = guarded.best_value();
  for (int starts = 0; starts <= kFreshStarts; ++starts) {
    const Attempt end = attempt(guarded, options);
    if (end == Attempt::kDone) return Status::kConverged;
    if (end == Attempt::kUsedUp) return Status::kIterationLimit;
    if (guarded.iterations() >= options.max_iterations) return Status::kIterationLimit;
    const bool has_gained =
        before - guarded.best_value() > options.value_tolerance * std::max(1.0, std::abs(before));
    if (end == Attempt::kReturned && (!has_gained || guarded.is_stationary(kGradientSlack))) {
      return Status::kConverged;
    }
    if (!has_gained) break;
    before = guarded.best_value();
  }
  return Status::kLineSearchFailed;
}

}  // namespace

void validate(const MinimizeOptions& options) {
  if (options.max_iterations < 1) {
    fail("minimize",
         "max_iterations is " + format_number(options.max_iterations) + "; must be >= 1");
  }
  if (!(options.gradient_tolerance > 0.0)) {
    fail("minimize",
         "gradient_tolerance is " + format_number(options.gradient_tolerance) + "; must be > 0");
  }
  if (options.max_evaluations && *options.max_evaluations < 1) {
    fail("minimize",
         "max_evaluations is " + format_number(*options.max_evaluations) + "; must be >= 1");
  }
  if (!(options.reach >= 0.0)) {
    fail("minimize", "reach is " + format_number(options.reach) + "; must be >= 0");
  }
  if (options.memory < 1) {
    fail("minimize", "memory is " + format_number(options.memory) + "; must be >= 1");
  }
  if (!(options.value_tolerance >= 0.0)) {
    fail("minimize",
         "value_tolerance is " + format_number(options.value_tolerance) + "; must be >= 0");
  }
}

MinimizeResult minimize(const ObjectiveWithGradient& f,
                        const VectorRef& start,
                        const Bounds& bounds,
                        const MinimizeOptions& options) {
  validate(options);
  validate_problem(start, bounds);
  MinimizeResult result;
  result.x = start.cwiseMax(bounds.lower).cwiseMin(bounds.upper);
  GuardedFunction guarded(f, result.x, bounds, options);
  const bool has_value = guarded.evaluate_start();
  if (!has_value) {
    result.status = Status::kLineSearchFailed;
  } else if (guarded.lower().size() == 0) {
    result.status = Status::kNotRun;
  } else if (guarded.is_stationary() || guarded.is_out_of_reach()) {
    result.status = Status::kConverged;
  } else {
    result.status = run_attempts(guarded, options);
  }
  if (has_value) result.x = guarded.best_x();
  result.value = guarded.best_value();
  result.iterations = guarded.iterations();
  result.evaluations = guarded.evaluations();
  return result;
}

}  // namespace pomlux
