// SPDX-License-Identifier: MIT
// Illustrations that are posteriors in the course of Bayesian optimisation.
#include <algorithm>  // std::max
#include <array>      // settings by fidelity
#include <memory>     // parts of an optimiser
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/acquisition/thompson_sampling.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/estimators/a_lite.hpp>
#include <pomlux/estimators/est.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <pomlux/estimators/vapor.hpp>
#include <pomlux/experiments/illustration_parts.hpp>
#include <pomlux/experiments/reproduce_illustrations.hpp>
#include <pomlux/experiments/svg_palette.hpp>
#include <pomlux/objectives/test_function.hpp>
#include <utility>  // labels and probabilities

namespace pomlux {

using namespace illustration;

namespace {

using figures::Figure;
using figures::Panel;
using figures::series_color;

/// Asks and answers.
SeenValues optimise(
    Optimizer& optimizer, const Vector& truth, double noise, int evaluations, std::uint64_t seed) {
  Rng rng = make_stream(seed, "illustration_noise");
  SeenValues result;
  for (int i = 0; i < evaluations; ++i) {
    const Suggestion suggestion = optimizer.ask().value();
    const double value = truth(suggestion.candidate) + noise * draw_normal(rng);
    optimizer.tell(suggestion, value);
    result.candidates.push_back(suggestion.candidate);
    result.values.push_back(value);
  }
  return result;
}

/// alpha = 1 / (epsilon n) of the samples behind a truth.
double truth_alpha(const IllustrationOptions& options) {
  constexpr std::array<double, 3> kAlpha{0.3, 1.0, 10.0};
  return kAlpha[static_cast<std::size_t>(options.fidelity)];
}

/// Labels and probabilities, in the order of the tables' figures.
std::vector<std::pair<std::string, Vector>> all_estimates(const GaussianVector& f,
                                                          double alpha,
                                                          const IllustrationOptions& options) {
  Rng rng = make_stream(options.seed, "illustration_estimates");
  const Vector mean = f.mean(), stddev = f.stddev();
  return {{"EST", est(mean, stddev).probabilities},
          {"F-VAPOR", vapor(mean, stddev, {.alpha = alpha}).probabilities},
          {"F-LITE", f_lite(mean, stddev, {.alpha = alpha}).probabilities},
          {"A-LITE", a_lite(mean, stddev, {.alpha = alpha}).probabilities},
          {"IA", independence(mean, stddev, {.alpha = alpha}).probabilities},
          {"TS-MC", ts_mc(f, rng, {.alpha = truth_alpha(options)}).pom.probabilities}};
}

constexpr int kSetupQueries = 20;

/// Thompson sampling of a function drawn from the very model that it is given.
struct CalibratedRun {
  CalibratedRun(Domain points, KernelType type, double length_scale, std::uint64_t seed)
      : domain(std::move(points)),
        prior(isotropic_model(domain.dimension(), type, length_scale, 1.0, kNoise)),
        truth(sampled_function(prior, domain, seed)),
        optimizer(domain,
                  prior.clone(),
                  std::make_unique<ThompsonSampling>(),
                  {.seed = seed, .repeats = true, .fit_every = 0}),
        observations(optimise(optimizer, truth, kNoise, kSetupQueries, seed)) {}

  static constexpr double kNoise = 0.1;
  Domain domain;
  GaussianProcess prior;
  Vector truth;
  Optimizer optimizer;
  SeenValues observations;
};

/// The 1-dim runs: 300 points, length scale 0.005.
CaptionedFigure line_setup(const IllustrationOptions& options) {
  constexpr double kLengthScale = 0.005, kAlpha = 10.0;
  CalibratedRun run(unit_grid(1, 300), KernelType::kSquaredExponential, kLengthScale, options.seed);
  const Domain& domain = run.domain;
  const GaussianVector& belief = run.optimizer.posterior();
  Figure figure =
      panels_of_size("fig_setups_gp1", "The setup of the 1-dim runs after 20 queries", 1, 330.0);
  figure.panels.push_back(
      belief_on_line("Posterior after 20 queries", domain, run.truth, belief, run.observations));
  const std::vector<double> x = numbers_of(domain.points().col(0));
  Rng rng = make_stream(options.seed, "illustration_thompson");
  const Vector sample = JointSampler(belief, rng).draw(1, rng).col(0);
  figure.panels.back().lines.push_back(
      {"Thompson sample", "", x, numbers_of(sample), series_color(2), 1.0});
  Panel pom;
  pom.title = "Probability of maximality by estimator";
  pom.x.label = "x";
  pom.y = {.label = "probability", .low = 0.0, .pads = true};
  std::size_t color = 0;
  for (const auto& [label, p] : all_estimates(belief, kAlpha, options)) {
    pom.lines.push_back({label, "", x, numbers_of(p), series_color(color++), 1.3});
  }
  figure.panels.push_back(std::move(pom));
  return {std::move(figure), "The setup of the 1-dim runs: one function after 20 queries."};
}

/// The DropWave runs at step 10.
CaptionedFigure drop_wave_setup(const IllustrationOptions& options) {
  constexpr double kNoise = 0.1, kAlpha = 1.0;
  constexpr int kInitial = 10, kStep = 10;
  const std::array<Index, 2> counts{25, 25};
  const Domain domain = Domain::grid(Vector::Constant(2, -2.5), Vector::Constant(2, 2.0), counts);
  const Vector truth = TestFunction("drop_wave").true_values(domain.points()).value();
  auto model = std::make_unique<GaussianProcess>(
      2,
      make_kernel(KernelType::kMatern52, Vector::Ones(1), 1.0),
      GaussianProcessOptions{.noise_stddev = 1.0, .fit = {.method = FitMethod::kAdam}});
  Optimizer optimizer(domain,
                      std::move(model),
                      std::make_unique<ExpectedImprovement>(),
                      {.seed = options.seed, .initial = kInitial, .repeats = true});
  const SeenValues observations =
      optimise(optimizer, truth, kNoise, kInitial + kStep, options.seed);
  (void)optimizer.fit();
  const GaussianVector& belief = optimizer.posterior();
  Figure figure =
      panels_of_size("fig_setups_drop_wave", "The setup of the DropWave runs at step 10", 3, 350.0);
  figure.panels.push_back(map_on_square("DropWave and observations", domain, truth));
  mark_seen(figure.panels.back(), domain, observations);
  figure.panels.push_back(map_on_square("Posterior mean", domain, belief.mean()));
  figure.panels.push_back(map_on_square("Posterior standard deviation", domain, belief.stddev()));
  const auto estimates = all_estimates(belief, kAlpha, options);
  double largest = 0.0;
  for (const auto& [label, p] : estimates) largest = std::max(largest, p.maxCoeff());
  for (const auto& [label, p] : estimates) {
    figure.panels.push_back(map_on_square(label, domain, p, 0.0, largest));
  }
  return {std::move(figure), "The setup of the DropWave runs: posterior and PoM at step 10."};
}

/// The 2-dim runs: 20 x 20 points, exponential kernel.
CaptionedFigure square_setup(const IllustrationOptions& options) {
  constexpr double kLengthScale = 0.1, kAlpha = 10.0;
  CalibratedRun run(unit_grid(2, 20), KernelType::kExponentialL1, kLengthScale, options.seed);
  const Domain& domain = run.domain;
  const GaussianVector& belief = run.optimizer.posterior();
  Figure figure =
      panels_of_size("fig_setups_gp2", "The setup of the 2-dim runs after 20 queries", 2, 400.0);
  figure.panel_width = 480.0;
  figure.panels.push_back(map_on_square("True function and observations", domain, run.truth));
  mark_seen(figure.panels.back(), domain, run.observations);
  figure.panels.push_back(map_on_square("Posterior mean", domain, belief.mean()));
  Rng rng = make_stream(options.seed, "illustration_estimates");
  const Vector truth_pom = ts_mc(belief, rng, {.alpha = truth_alpha(options)}).pom.probabilities;
  const Vector pom = a_lite(belief.mean(), belief.stddev(), {.alpha = kAlpha}).probabilities;
  const double largest = std::max(truth_pom.maxCoeff(), pom.maxCoeff());
  figure.panels.push_back(map_on_square("TS-MC", domain, truth_pom, 0.0, largest));
  figure.panels.push_back(map_on_square("A-LITE", domain, pom, 0.0, largest));
  return {std::move(figure), "The setup of the 2-dim runs: one function after 20 queries."};
}

}  // namespace

std::vector<CaptionedFigure> setup_figures(const IllustrationOptions& options) {
  return {line_setup(options), drop_wave_setup(options), square_setup(options)};
}

}  // namespace pomlux
