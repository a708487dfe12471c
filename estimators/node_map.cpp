// SPDX-License-Identifier: MIT
#include <algorithm>  // std::sort
#include <cmath>      // std::asinh
#include <limits>     // machine precision
#include <pomlux/estimators/max_quadrature.hpp>

namespace pomlux {
namespace {

constexpr double kNarrowWeight = 2.0;  // a
constexpr double kNarrowWidth = 4.0;   // b

/// asinh(x / y) for y > 0, also where the quotient overflows.
double asinh_of_quotient(double x, double y) {
  const double size = std::abs(x);
  if (size < 1e8 * y) return std::asinh(x / y);
  return std::copysign(std::log(2.0 * size) - std::log(y), x);
}

}  // namespace

NodeMap::NodeMap(double centre, double scale, std::vector<NarrowArm> candidates)
    : centre_(centre), scale_(scale) {
  std::sort(candidates.begin(), candidates.end(), [](const NarrowArm& a, const NarrowArm& b) {
    return a.stddev < b.stddev || (a.stddev == b.stddev && a.mean < b.mean);
  });
  for (const NarrowArm& arm : candidates) {
    if (narrow_.size() >= kMaxNarrow) break;
    // Resolved: at most twice the spacing that a term of its own would give.
    const double wanted = 0.5 * kNarrowWeight / (kNarrowWidth * arm.stddev);
    if (slope(arm.mean, 0.0) < wanted) narrow_.push_back(arm);
  }
  std::sort(narrow_.begin(), narrow_.end(), [](const NarrowArm& a, const NarrowArm& b) {
    return a.mean < b.mean || (a.mean == b.mean && a.stddev < b.stddev);
  });
  for (const NarrowArm& arm : narrow_) narrow_at_.push_back(value(arm.mean, 0.0));
}

double NodeMap::value(double base, double offset) const {
  double t = ((base - centre_) + offset) / scale_;
  for (const NarrowArm& arm : narrow_) {
    t += kNarrowWeight * asinh_of_quotient((base - arm.mean) + offset, kNarrowWidth * arm.stddev);
  }
  return t;
}

double NodeMap::slope(double base, double offset) const {
  double sum = 1.0 / scale_;
  for (const NarrowArm& arm : narrow_) {
    sum += kNarrowWeight / std::hypot((base - arm.mean) + offset, kNarrowWidth * arm.stddev);
  }
  return sum;
}

bool NodeMap::is_near(const QuadratureNode& node) const {
  return std::abs((node.base - centre_) + node.offset) < scale_;
}

bool NodeMap::is_mixed() const {
  return std::any_of(narrow_.begin(), narrow_.end(), [&](const NarrowArm& arm) {
    return arm.stddev < 0.1 * scale_;
  });
}

double NodeMap::origin() const { return value(centre_, 0.0); }

QuadratureNode NodeMap::at(double t) const {
  if (narrow_.empty()) return {centre_, t * scale_, scale_};
  // Offsets are measured from the mean of the nearest narrow arm in t.
  const auto above = std::lower_bound(narrow_at_.begin(), narrow_at_.end(), t);
  std::size_t k = static_cast<std::size_t>(above - narrow_at_.begin());
  if (k == narrow_at_.size() || (k > 0 && t - narrow_at_[k - 1] < narrow_at_[k] - t)) --k;
  const double base = narrow_[k].mean;
  const double distance = t - narrow_at_[k];
  if (distance == 0.0) return {base, 0.0, 1.0 / slope(base, 0.0)};
  // The slope is at least 1 / scale, so |offset| <= |distance| scale: a bracket with 0.
  double inner = 0.0;
  double outer = distance * scale_;
  double offset = distance / slope(base, 0.0);
  for (int i = 0; i < 200; ++i) {
    const double excess = value(base, offset) - t;
    ((excess > 0.0) == (distance > 0.0) ? outer : inner) = offset;
    double next = offset - excess / slope(base, offset);
    if (std::abs(excess) <= 1e-9) {  // Newton's last step squares this
      offset = next;
      break;
    }
    // Bisection in the logarithm once the inner end has left 0: offsets span many decades.
    if (!(std::min(inner, outer) < next && next < std::max(inner, outer))) {
      next = inner == 0.0
                 ? 1e-3 * outer
                 : std::copysign(std::sqrt(std::abs(inner)) * std::sqrt(std::abs(outer)), distance);
    }
    if (next == offset) break;
    offset = next;
  }
  return {base, offset, 1.0 / slope(base, offset)};
}

}  // namespace pomlux
