// SPDX-License-Identifier: MIT
#include <cmath>  // std::isfinite
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/gram_factor.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr double kJitterFactor = 10.0;

double mean_diagonal(const Kernel& kernel, const PointsRef& x, const VectorRef& noise_stddev) {
  return (kernel.diagonal(x) + noise_stddev.cwiseAbs2()).mean();
}

}  // namespace

bool append_point(CholeskyFactor& factor,
                  const Kernel& kernel,
                  const PointsRef& x,
                  const PointRef& point,
                  double extra) {
  const Vector column = kernel.matrix(x, point);
  const double diagonal = kernel.diagonal(point)(0) + extra;
  return factor.append(column, diagonal);
}

bool GramFactor::append(const Kernel& kernel, const PointsRef& x, const VectorRef& noise_stddev) {
  const Index last = x.rows() - 1;
  const double noise = noise_stddev(last);
  if (append_point(factor_, kernel, x.topRows(last), x.row(last), noise * noise + jitter_)) {
    return true;
  }
  GramFactor anew;
  anew.jitter_ = raised_jitter(kernel, x, noise_stddev);
  anew.factorise(kernel, x, noise_stddev);
  *this = std::move(anew);
  return false;
}

void GramFactor::rebuild(const Kernel& kernel, const PointsRef& x, const VectorRef& noise_stddev) {
  GramFactor anew;
  if (x.rows() > 0) anew.factorise(kernel, x, noise_stddev);
  *this = std::move(anew);
}

/// The next jitter, as the last of these rows has no positive pivot.
double GramFactor::raised_jitter(const Kernel& kernel,
                                 const PointsRef& x,
                                 const VectorRef& noise_stddev) const {
  const double scale = mean_diagonal(kernel, x, noise_stddev);
  if (!std::isfinite(scale)) {
    fail("GaussianProcess",
         "a variance of an observation overflows in the units of the model; noise_stddev or "
         "amplitude is too large next to the values");
  }
  const double raised =
      jitter_ == 0.0 ? CholeskyFactor::kFirstJitter * scale : jitter_ * kJitterFactor;
  if (!(raised <= CholeskyFactor::kJitterSlack * CholeskyFactor::kLastJitter * scale)) {
    fail("GaussianProcess",
         "the covariance of the observations is not positive semi-definite: a jitter of " +
             format_number(CholeskyFactor::kLastJitter) + " times its mean diagonal does not help");
  }
  return raised;
}

/// All rows at once, with the jitter there is or, as often as a pivot is not positive, a larger
/// one.
void GramFactor::factorise(const Kernel& kernel,
                           const PointsRef& x,
                           const VectorRef& noise_stddev) {
  const Index n = x.rows();
  require_memory("GaussianProcess", n, n);
  Matrix gram(n, n);
  kernel.write_lower(x, gram);
  for (Index j = 0; j < n; ++j) {
    require_finite("GaussianProcess", "a covariance", gram.col(j).tail(n - j));
  }
  const Vector variance = kernel.diagonal(x);
  for (;;) {
    gram.diagonal() = variance.array() + (noise_stddev.array().square() + jitter_);
    const Index good = factor_.assign(gram);
    if (good == n) return;
    jitter_ = raised_jitter(kernel, x.topRows(good + 1), noise_stddev.head(good + 1));
  }
}

}  // namespace pomlux
