// SPDX-License-Identifier: MIT
#include <algorithm>   // sorting
#include <cmath>       // powers
#include <functional>  // std::greater
#include <numeric>     // std::partial_sum
#include <pomlux/experiments/report_belief.hpp>
#include <pomlux/experiments/svg_palette.hpp>

namespace pomlux {
namespace {

using figures::Line;
using figures::Panel;

constexpr double kPomDecades = 6.0;  ///< shown of the PoM by rank

/// Ranks 1, 2, ... thinned to about 100 per decade.
std::vector<std::size_t> shown_ranks(std::size_t n) {
  std::vector<std::size_t> ranks;
  for (std::size_t rank = 1; rank <= n; rank = std::max(rank + 1, rank + rank / 50))
    ranks.push_back(rank);
  if (!ranks.empty() && ranks.back() != n) ranks.push_back(n);
  return ranks;
}

/// Probabilities from the largest on; what is missing counts as 0.
std::vector<double> ranked(std::vector<double> pom) {
  for (double& p : pom) p = std::isfinite(p) ? p : 0.0;
  std::sort(pom.begin(), pom.end(), std::greater<>());
  return pom;
}

/// A log axis from the largest value down to the smallest positive one, at most kPomDecades.
void scale_single(Panel& panel) {
  double largest = 0.0;
  double smallest = 1.0;
  for (const Line& line : panel.lines) {
    for (const double p : line.y) {
      largest = std::max(largest, p);
      if (p > 0.0) smallest = std::min(smallest, p);
    }
  }
  panel.y.scale = figures::Scale::kLog;
  if (largest <= 0.0) return;
  panel.y.high = largest * 1.3;
  panel.y.low = std::max(smallest / 1.3, largest * std::pow(10.0, -kPomDecades));
}

}  // namespace

CaptionedFigure rank_figure(const RunResult& run, const PosteriorData& data) {
  CaptionedFigure result;
  if (data.estimators.empty()) return result;
  const std::string optimum = optimum_noun(run.sense);
  Panel single;
  single.title = "Probability of being the " + optimum + ", by rank";
  single.y.label = "probability";
  Panel sum;
  sum.title = "Probability that the " + optimum + " is among the first";
  sum.y.label = "cumulated probability";
  sum.y.low = 0.0;
  sum.y.high = 1.0;
  for (std::size_t k = 0; k < data.estimators.size(); ++k) {
    const std::vector<double> sorted = ranked(data.pom[k]);
    std::vector<double> sums(sorted.size());
    std::partial_sum(sorted.begin(), sorted.end(), sums.begin());
    Line line;
    line.label = data.estimators[k];
    line.color = figures::series_color(k);
    Line cumulated = line;
    for (const std::size_t rank : shown_ranks(sorted.size())) {
      line.x.push_back(static_cast<double>(rank));
      line.y.push_back(sorted[rank - 1]);
      cumulated.y.push_back(std::min(sums[rank - 1], 1.0));
    }
    cumulated.x = line.x;
    single.lines.push_back(std::move(line));
    sum.lines.push_back(std::move(cumulated));
  }
  scale_single(single);
  for (Panel* panel : {&single, &sum}) {
    panel->x.label = "rank of the candidate";
    panel->x.scale = figures::Scale::kLog;
    panel->x.low = 1.0;
    panel->x.high = static_cast<double>(std::max<std::size_t>(2, data.size()));
  }
  result.figure.columns = 2;
  result.figure.panel_width = 565.0;
  result.figure.panels = {std::move(single), std::move(sum)};
  return result;
}

}  // namespace pomlux
