// SPDX-License-Identifier: MIT
// Illustrations that are posteriors after observations in given places.
#include <algorithm>  // std::min
#include <array>      // settings by fidelity
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/joint_argmax.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <pomlux/experiments/illustration_parts.hpp>
#include <pomlux/experiments/reproduce_illustrations.hpp>
#include <pomlux/experiments/svg_palette.hpp>

namespace pomlux {

using namespace illustration;

namespace {

using figures::Figure;
using figures::Panel;
using figures::series_color;

/// Noisy values at candidates given in advance.
SeenValues noisy_values(const std::vector<Index>& candidates,
                        const Vector& truth,
                        double noise,
                        Rng& rng) {
  SeenValues result{candidates, {}};
  for (const Index i : candidates) result.values.push_back(truth(i) + noise * draw_normal(rng));
  return result;
}

void add_to(GaussianProcess& model, const Domain& domain, const SeenValues& observations) {
  for (std::size_t i = 0; i < observations.values.size(); ++i) {
    model.add(domain.point(observations.candidates[i]), observations.values[i]);
  }
}

/// "1000000" -> "1 000 000".
std::string grouped(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

/// Shares of joint samples [0, end) in which each arm is the largest, for ascending ends: each
/// count goes on with the samples of the one before. One factorisation for all.
std::vector<Vector> shares_of_samples(const GaussianVector& f,
                                      const std::vector<std::uint64_t>& ends,
                                      Rng& rng) {
  constexpr std::uint64_t kBlock = 64 * JointArgmax::kChunk;
  const std::uint64_t key = rng();
  const JointArgmax sampler(f, SamplePrecision::kSingle, kDefaultMemoryLimit);
  Vector counts = Vector::Zero(f.size());
  std::vector<Index> argmax(kBlock);
  std::vector<Vector> result;
  std::uint64_t done = 0;
  for (const std::uint64_t end : ends) {
    while (done < end) {
      const auto size = static_cast<std::size_t>(std::min(kBlock, end - done));
      parallel_for(static_cast<Index>(size), JointArgmax::kChunk, [&](Index first, Index last) {
        sampler.draw(key,
                     done + static_cast<std::uint64_t>(first),
                     std::span(argmax).subspan(static_cast<std::size_t>(first),
                                               static_cast<std::size_t>(last - first)));
      });
      for (std::size_t i = 0; i < size; ++i) counts(argmax[i]) += 1.0;
      done += size;
    }
    result.emplace_back(counts / static_cast<double>(end));
  }
  return result;
}

}  // namespace

// Section 9 of the specification: 50 x 50 points, exponential kernel with the L1 distance.
CaptionedFigure sample_number_figure(const IllustrationOptions& options) {
  constexpr double kLengthScale = 0.02, kNoise = 0.5;
  constexpr int kObserved = 10;
  using Alphas = std::array<double, 4>;
  constexpr std::array<Alphas, 3> kAlphas{
      {{0.04, 0.2, 0.5, 1.0}, {0.04, 0.1, 0.2, 0.5}, {0.04, 0.2, 1.0, 5.0}}};
  const Alphas& alphas = kAlphas[static_cast<std::size_t>(options.fidelity)];
  const Domain domain = unit_grid(2, options.fidelity == Fidelity::kSmoke ? 20 : 50);
  const Index n = domain.size();
  const Vector truth =
      sampled_function(isotropic_model(2, KernelType::kExponentialL1, kLengthScale, 1.0, kNoise),
                       domain,
                       options.seed);
  std::vector<Index> observed;
  for (int i = 0; i < kObserved; ++i) observed.push_back(std::min(n * i / (kObserved - 1), n - 1));
  Rng rng = make_stream(options.seed, "fig-samples");
  const SeenValues observations = noisy_values(observed, truth, kNoise, rng);
  GaussianProcess model = isotropic_model(2, KernelType::kExponentialL1, kLengthScale, 2.0, kNoise);
  add_to(model, domain, observations);
  const GaussianVector& belief = model.posterior(domain);
  std::vector<std::uint64_t> counts;
  for (const double alpha : alphas) counts.push_back(ts_mc_samples(alpha, n));
  const std::vector<Vector> shares = shares_of_samples(belief, counts, rng);

  Figure figure = panels_of_size(
      "fig_samples", "Thompson sampling of one posterior with more and more samples", 3, 350.0);
  figure.panels.push_back(map_on_square("True function and observations", domain, truth));
  mark_seen(figure.panels.back(), domain, observations);
  figure.panels.push_back(map_on_square("Posterior mean", domain, belief.mean()));
  const double scale = static_cast<double>(n);
  const double largest = scale * shares.back().maxCoeff();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    figure.panels.push_back(
        map_on_square(grouped(counts[i]) + " samples = (" + format_number(alphas[i]) + " n)\u00b2",
                      domain,
                      scale * shares[i],
                      0.0,
                      largest));
    figure.panels.back().value.label = "PoM times n";
  }
  return {std::move(figure),
          "Of the order of n\u00b2 samples are needed: the probability of maximality of n = " +
              format_number(n) +
              " candidates by TS-MC, times n. Colours beyond the range of the last panel are its "
              "end."};
}

// Section 10: 200 points, squared-exponential kernel.
CaptionedFigure independence_bias_figure(const IllustrationOptions& options) {
  constexpr double kLengthScale = 0.02, kNoise = 0.5, kAlpha = 5.0, kSmokeAlpha = 0.5;
  constexpr std::array<Index, 4> kObserved{4, 8, 16, 32};
  const Domain domain = unit_grid(1, 200);
  const Index n = domain.size();
  const Vector truth = sampled_function(
      isotropic_model(1, KernelType::kSquaredExponential, kLengthScale, 1.0, kNoise),
      domain,
      options.seed);
  Figure figure = panels_of_size(
      "fig_independence_bias", "What neglecting correlation does to one function", 2, 290.0);
  std::vector<Panel> poms;
  const std::vector<double> x = numbers_of(domain.points().col(0));
  for (std::size_t k = 0; k < kObserved.size(); ++k) {
    const Index count = kObserved[k];
    std::vector<Index> observed;
    for (Index i = 0; i < count; ++i) observed.push_back(n * (i + 1) / (count + 1));
    Rng rng = make_stream(options.seed, "fig-independence-bias", k);
    const SeenValues observations = noisy_values(observed, truth, kNoise, rng);
    GaussianProcess model =
        isotropic_model(1, KernelType::kSquaredExponential, kLengthScale, 2.0, kNoise);
    add_to(model, domain, observations);
    const GaussianVector& belief = model.posterior(domain);
    figure.panels.push_back(belief_on_line(
        format_number(count) + " observations", domain, truth, belief, observations));
    const double alpha = options.fidelity == Fidelity::kSmoke ? kSmokeAlpha : kAlpha;
    Panel pom;
    pom.title = "Probability of maximality, " + format_number(count) + " observations";
    pom.x.label = "x";
    pom.y = {.label = "PoM times n", .low = 0.0, .pads = true};
    const double scale = static_cast<double>(n);
    pom.lines.push_back({"TS-MC",
                         "",
                         x,
                         numbers_of(ts_mc(belief, rng, {.alpha = alpha}).pom.probabilities, scale),
                         series_color(1)});
    pom.lines.push_back(
        {"independence",
         "",
         x,
         numbers_of(independence(belief.mean(), belief.stddev(), {.alpha = alpha}).probabilities,
                    scale),
         series_color(0)});
    poms.push_back(std::move(pom));
    if (k % 2 == 0) continue;
    for (Panel& panel : poms) figure.panels.push_back(std::move(panel));
    poms.clear();
  }
  return {std::move(figure),
          "Neglecting correlation leaves the shape of the probability of maximality and makes it "
          "more cautious near the best observations."};
}

}  // namespace pomlux
