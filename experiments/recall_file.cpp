// SPDX-License-Identifier: MIT
#include <algorithm>  // std::stable_sort
#include <numeric>    // std::iota
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/core/linalg.hpp>
#include <pomlux/experiments/recall_file.hpp>

namespace pomlux {
namespace {

using Order = std::vector<Index>;

Order descending(const VectorRef& scores) {
  Order order(static_cast<std::size_t>(scores.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(
      order.begin(), order.end(), [&scores](Index a, Index b) { return scores(a) > scores(b); });
  return order;
}

RecallCurve curve_of(std::string method, const Pom& truth, const Order& order) {
  const Vector all = recall_curve(truth.probabilities, order);
  RecallCurve curve{std::move(method), Vector(RecallCurve::kPoints)};
  const Index n = truth.size();
  for (Index j = 0; j < RecallCurve::kPoints; ++j) {
    curve.recall(j) = all(n * j / (RecallCurve::kPoints - 1));
  }
  return curve;
}

/// Picks the largest arm not yet picked of one sample (a column) after the other.
Order picks_of(const Matrix& samples) {
  const Index n = samples.rows();
  std::vector<bool> is_picked(static_cast<std::size_t>(n), false);
  Order order;
  for (Index pick = 0; pick < n; ++pick) {
    Index best = -1;
    for (Index arm = 0; arm < n; ++arm) {
      if (is_picked[static_cast<std::size_t>(arm)]) continue;
      if (best < 0 || samples(arm, pick) > samples(best, pick)) best = arm;
    }
    is_picked[static_cast<std::size_t>(best)] = true;
    order.push_back(best);
  }
  return order;
}

/// The last arm is never picked and fills the places that are left: it counts from the first pick
/// on, as it is on the list from the beginning.
Order reference_order(const GaussianVector& f, Rng& rng) {
  const Index n = f.size();
  const Matrix covariance = f.covariance_matrix();
  Matrix samples = f.mean().replicate(1, n);
  for (Index pick = 0; pick < n; ++pick) samples.col(pick) += covariance * draw_normals(rng, n);
  samples.row(n - 1).setConstant(-kInfinity);  // "picked" already
  Order order = picks_of(samples);
  order.pop_back();
  order.insert(order.begin(), n - 1);
  return order;
}

}  // namespace

std::vector<RecallCurve> recall_curves(const GaussianVector& f,
                                       const std::vector<PomRecord>& poms,
                                       const Pom& truth,
                                       Rng& rng) {
  std::vector<RecallCurve> curves;
  for (const PomRecord& one : poms) {
    curves.push_back(curve_of(one.estimator, truth, descending(one.pom.probabilities)));
  }
  curves.push_back(curve_of("mean", truth, descending(Vector(f.mean()))));
  curves.push_back(curve_of("ts", truth, picks_of(draw_samples(f, f.size(), rng))));
  if (f.has_covariance()) {
    curves.push_back(curve_of("ts_reference", truth, reference_order(f, rng)));
  }
  return curves;
}

RecallFile::RecallFile(const std::filesystem::path& path, std::uintmax_t kept)
    : file_(path, {"step", "method", "fraction", "recall"}, kept) {}

void RecallFile::append(Index step, const std::vector<RecallCurve>& curves) {
  for (const RecallCurve& one : curves) {
    for (Index j = 0; j < one.recall.size(); ++j) {
      const double fraction =
          static_cast<double>(j) / static_cast<double>(RecallCurve::kPoints - 1);
      file_.append(
          {format_number(step), one.method, format_number(fraction), format_number(one.recall(j))});
    }
  }
}

}  // namespace pomlux
