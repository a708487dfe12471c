// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <cmath>      // std::isfinite
#include <limits>     // infinity
#include <pomlux/core/adam.hpp>
#include <pomlux/core/minimize.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/gp/fit.hpp>
#include <pomlux/gp/fit_space.hpp>
#include <pomlux/gp/likelihood.hpp>

namespace pomlux {
namespace {

/// With so few observations a fit is cheap and its likelihood often has several optima: the derived
/// starts are always tried.
constexpr Index kFewObservations = 50;

/// A start clipped by more than this, in logs, says nothing about these data. Less is the bounds
/// following the data from fit to fit.
const double kFarOutside = std::log(2.0);

// A fit that ends with all observations correlated less or more than this has found "all noise" or
// "a constant and noise": often local optima that a better start leaves behind.
constexpr double kNoCorrelation = 0.01;
constexpr double kFullCorrelation = 0.99;

/// What one search writes to, evaluation after evaluation. For one thread at a time.
struct SearchBuffers {
  std::unique_ptr<Kernel> kernel;
  ModelParameters parameters;
  Vector noise;
  LikelihoodWorkspace likelihood;
};

/// The search as one function of the logs of the free parameters.
class Search {
 public:
  Search(const FitData& data,
         const Kernel& kernel,
         const FitSpace& space,
         const ModelParameters& start)
      : data_(data), kernel_(kernel), space_(space), start_(start) {}

  [[nodiscard]] SearchBuffers make_buffers() const { return {kernel_.clone(), start_, {}, {}}; }

  /// At `buffers.parameters`, the mean maximised if it is free, which is then written there. Null
  /// where it cannot be computed. Lies in the buffers.
  [[nodiscard]] const Likelihood* likelihood(SearchBuffers& buffers) const {
    ModelParameters& parameters = buffers.parameters;
    try {
      const Kernel& kernel = *buffers.kernel;
      buffers.kernel->set_parameters(parameters.kernel);
      write_noise(data_.own_noise, parameters.noise_stddev, buffers.noise);
      const Likelihood& result =
          space_.is_mean_free && !space_.is_mean_searched
              ? profile_log_marginal_likelihood(
                    kernel, buffers.noise, data_.x, data_.y, buffers.likelihood)
              : log_marginal_likelihood(
                    kernel, parameters.mean, buffers.noise, data_.x, data_.y, buffers.likelihood);
      parameters.mean = result.mean;
      return std::isfinite(result.value) ? &result : nullptr;
    } catch (const InvalidArgument&) {  // the kernel overflows, or no jitter helps
      return nullptr;
    }
  }

  void write_parameters(const Vector& point, ModelParameters& parameters) const {
    parameters = start_;
    from_search(space_, point, parameters);
  }

  /// Minus the log likelihood of the values in units of their spread, so that stopping rules mean
  /// the same whatever the user's units are, and minus the log prior. Allocates nothing after its
  /// first call, exceptions and jitter apart.
  double operator()(const Vector& point, Vector& gradient, SearchBuffers& buffers) const {
    write_parameters(point, buffers.parameters);
    const Likelihood* const found = likelihood(buffers);
    if (found == nullptr) return std::numeric_limits<double>::quiet_NaN();
    const Likelihood& result = *found;
    double noise_gradient = 0.0;
    for (Index i = 0; i < data_.own_noise.size(); ++i) {
      if (std::isnan(data_.own_noise(i))) noise_gradient += result.log_noise_gradient_each(i);
    }
    gradient.setZero(point.size());
    for (Index i = 0; i < std::ssize(space_.free); ++i) {
      for (const Index position : space_.free[static_cast<std::size_t>(i)].positions) {
        gradient(i) += position < result.kernel_gradient.size() ? result.kernel_gradient(position)
                                                                : noise_gradient;
      }
    }
    if (space_.is_mean_searched) gradient(space_.size() - 1) = result.mean_gradient;
    const double log_prior = space_.add_log_prior(point, gradient);
    gradient = -gradient;
    const double units =
        space_.values ? static_cast<double>(data_.y.size()) * std::log(space_.values->spread) : 0.0;
    return -(result.value + units + log_prior);
  }

  /// True if the model of `parameters` sees either no or nothing but common variation.
  [[nodiscard]] bool is_without_structure(const ModelParameters& parameters) const {
    const std::unique_ptr<Kernel> kernel = kernel_.clone();
    kernel->set_parameters(parameters.kernel);
    const Matrix gram = kernel->matrix(data_.x);
    const Vector noise = noise_of(data_.own_noise, parameters.noise_stddev);
    const Vector total = gram.diagonal() + noise.cwiseAbs2();
    double largest = 0.0;
    double smallest = 1.0;
    for (Index j = 0; j < gram.cols(); ++j) {
      for (Index i = j + 1; i < gram.rows(); ++i) {
        if ((data_.x.row(i).array() == data_.x.row(j).array()).all()) continue;
        largest = std::max(largest, std::abs(gram(i, j)) / std::sqrt(total(i) * total(j)));
        smallest = std::min(smallest, gram(i, j) / std::sqrt(gram(i, i) * gram(j, j)));
      }
    }
    return !(largest > kNoCorrelation) || smallest > kFullCorrelation;
  }

 private:
  const FitData& data_;
  const Kernel& kernel_;
  const FitSpace& space_;
  const ModelParameters& start_;
};

/// The search from several starts, each for itself; the best end, the first on ties.
class Campaign {
 public:
  Campaign(const Search& search, Bounds bounds, int max_iterations)
      : search_(search), bounds_(std::move(bounds)) {
    options_.max_iterations = max_iterations;
  }

  void run(const std::vector<Vector>& starts, FitReport& report) {
    std::vector<MinimizeResult> ends(starts.size());
    parallel_for(static_cast<Index>(starts.size()), 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        SearchBuffers buffers = search_.make_buffers();
        const auto value = [&](const Vector& point, Vector& gradient) {
          return search_(point, gradient, buffers);
        };
        ends[k] = minimize(value, starts[k], bounds_, options_);
      }
    });
    for (const MinimizeResult& end : ends) {
      ++report.starts;
      report.iterations += end.iterations;
      report.evaluations += end.evaluations;
      if (std::isfinite(end.value) && (!has_best() || end.value < best_.value)) best_ = end;
    }
  }

  [[nodiscard]] bool has_best() const { return best_.x.size() > 0; }
  [[nodiscard]] const MinimizeResult& best() const { return best_; }

 private:
  const Search& search_;
  Bounds bounds_;
  MinimizeOptions options_;
  MinimizeResult best_;
};

/// Only the mean moves: its maximum is known in closed form.
FitResult fit_mean(const Search& search, const FitSpace& space, const ModelParameters& start) {
  FitResult result;
  result.parameters = start;
  if (!space.is_mean_free) return result;
  SearchBuffers buffers = search.make_buffers();
  result.report.evaluations = 1;
  result.report.status =
      search.likelihood(buffers) != nullptr ? Status::kConverged : Status::kFellBack;
  if (result.report.status == Status::kConverged) result.parameters = buffers.parameters;
  return result;
}

/// One path from the start, and what lies at its end.
FitResult fit_by_adam(const Search& search,
                      const FitSpace& space,
                      const ModelParameters& start,
                      const FitOptions& options) {
  FitResult result;
  result.parameters = start;
  SearchBuffers buffers = search.make_buffers();
  const auto value = [&](const Vector& point, Vector& gradient) {
    return search(point, gradient, buffers);
  };
  const AdamResult end = minimize_by_adam(
      value, to_search(space, start), {options.learning_rate, options.iteration_limit()});
  search.write_parameters(end.x, result.parameters);
  result.report.status = end.status;
  result.report.iterations = result.report.evaluations = end.iterations;
  result.report.starts = end.iterations > 0 ? 1 : 0;
  return result;
}

}  // namespace

FitResult fit_parameters(const FitData& data,
                         const Kernel& kernel,
                         const ModelParameters& start,
                         const FitOptions& options,
                         Rng& rng) {
  FitResult result;
  result.parameters = start;
  const std::uint64_t key = options.restarts > 0 ? rng() : 0;
  if (data.y.size() == 0) return result;
  const FitSpace space = make_fit_space(data, kernel, start, options);
  const Search search(data, kernel, space, start);
  if (options.method == FitMethod::kAdam) return fit_by_adam(search, space, start, options);
  if (space.free.empty()) return fit_mean(search, space, start);

  const Bounds bounds = space.bounds();
  const Vector configured = to_search(space, start);
  std::vector<Vector> starts{configured.cwiseMax(bounds.lower).cwiseMin(bounds.upper)};
  result.is_start_clipped = starts.front() != configured;
  const bool is_start_far = ((starts.front() - configured).array().abs() > kFarOutside).any();
  const bool is_derived_tried = data.y.size() <= kFewObservations || is_start_far;
  if (is_derived_tried) {
    for (Vector& point : derived_starts(space)) starts.push_back(std::move(point));
  }
  if (std::optional<Vector> point = prior_start(space)) starts.push_back(std::move(*point));
  if (options.restarts > 0) {
    for (int i = 0; i < options.restarts; ++i) {
      starts.push_back(random_start(space, key, static_cast<std::uint64_t>(i)));
    }
  }
  Campaign campaign(search, bounds, options.iteration_limit());
  campaign.run(starts, result.report);
  const auto is_trapped = [&] {
    if (!campaign.has_best()) return true;
    search.write_parameters(campaign.best().x, result.parameters);
    return search.is_without_structure(result.parameters);
  };
  if (!is_derived_tried && is_trapped()) campaign.run(derived_starts(space), result.report);
  if (!campaign.has_best()) {
    result.report.status = Status::kFellBack;
    return result;
  }
  SearchBuffers buffers = search.make_buffers();
  search.write_parameters(campaign.best().x, buffers.parameters);
  (void)search.likelihood(buffers);  // for the mean
  result.parameters = buffers.parameters;
  Vector ignored = Vector::Zero(configured.size());
  result.log_prior = space.add_log_prior(campaign.best().x, ignored);
  result.start_log_prior = space.add_log_prior(starts.front(), ignored);
  result.report.status = campaign.best().status;
  return result;
}

std::vector<ParameterRange> effective_bounds(const FitData& data,
                                             const Kernel& kernel,
                                             const ModelParameters& start,
                                             const FitOptions& options) {
  const FitSpace space = make_fit_space(data, kernel, start, options);
  std::vector<ParameterRange> result;
  for (const double value : start.kernel) result.push_back({value, value});
  const std::size_t num_kernel = result.size();
  result.push_back(space.is_mean_free && data.y.size() > 0
                       ? ParameterRange{-kInfinity, kInfinity}
                       : ParameterRange{start.mean, start.mean});
  result.push_back({start.noise_stddev, start.noise_stddev});
  for (const FreeParameter& one : space.free) {
    for (std::size_t j = 0; j < one.positions.size(); ++j) {
      const std::size_t position = static_cast<std::size_t>(one.positions[j]);
      // The noise, last in the search, comes after the mean here.
      result[position < num_kernel ? position : num_kernel + 1] = {one.ratios[j] * one.scale.lower,
                                                                   one.ratios[j] * one.scale.upper};
    }
  }
  return result;
}

void write_noise(const VectorRef& own_noise, double noise_stddev, Vector& result) {
  result = own_noise.array().isNaN().select(noise_stddev, own_noise.array()).matrix();
}

Vector noise_of(const VectorRef& own_noise, double noise_stddev) {
  Vector result;
  write_noise(own_noise, noise_stddev, result);
  return result;
}

}  // namespace pomlux
