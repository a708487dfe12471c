// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/gram_factor.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr double kJitterFactor = 10.0;
constexpr double kRoundingSlack = 1.001;  // ten multiplications by 10 are not exact

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
  anew.jitter_ = jitter_;
  Index failed = last;
  while (failed >= 0) {
    const Index count = failed + 1;
    const double scale = mean_diagonal(kernel, x.topRows(count), noise_stddev.head(count));
    anew.jitter_ =
        anew.jitter_ == 0.0 ? CholeskyFactor::kFirstJitter * scale : anew.jitter_ * kJitterFactor;
    if (!(anew.jitter_ <= kRoundingSlack * CholeskyFactor::kLastJitter * scale)) {
      fail("GaussianProcess",
           "the covariance of the observations is not positive semi-definite: a jitter of " +
               format_number(CholeskyFactor::kLastJitter) +
               " times its mean diagonal does not help");
    }
    anew.factor_ = CholeskyFactor();
    failed = -1;
    for (Index i = 0; i < x.rows() && failed < 0; ++i) {
      const double extra = noise_stddev(i) * noise_stddev(i) + anew.jitter_;
      if (!append_point(anew.factor_, kernel, x.topRows(i), x.row(i), extra)) failed = i;
    }
  }
  *this = std::move(anew);
  return false;
}

void GramFactor::rebuild(const Kernel& kernel, const PointsRef& x, const VectorRef& noise_stddev) {
  GramFactor anew;
  for (Index i = 0; i < x.rows(); ++i) {
    (void)anew.append(kernel, x.topRows(i + 1), noise_stddev.head(i + 1));
  }
  *this = std::move(anew);
}

}  // namespace pomlux
