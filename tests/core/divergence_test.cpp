// SPDX-License-Identifier: MIT
#include <limits>  // infinity
#include <pomlux/core/divergence.hpp>
#include <pomlux/core/pom.hpp>

#include "catch.hpp"

using pomlux::Index;
using pomlux::InvalidArgument;
using pomlux::jensen_shannon_divergence;
using pomlux::kl_divergence;
using pomlux::Points;
using pomlux::sinkhorn_divergence;
using pomlux::SinkhornResult;
using pomlux::Status;
using pomlux::Vector;

namespace {

Vector vector(std::initializer_list<double> values) {
  Vector result(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

Points segment(Index n) { return Vector::LinSpaced(n, 0.0, 1.0); }

/// Transport distance on a line, from the distribution functions.
double distance_on_line(const Vector& p, const Vector& q, double spacing) {
  double excess = 0.0;
  double sum = 0.0;
  for (Index i = 0; i < p.size(); ++i) {
    excess += p(i) - q(i);
    sum += std::abs(excess) * spacing;
  }
  return sum;
}

}  // namespace

TEST_CASE("Kullback-Leibler divergence of small examples", "[core][divergence]") {
  CHECK_THAT(kl_divergence(vector({0.5, 0.5}), vector({0.25, 0.75})),
             WithinRel(0.5 * std::log(2.0) + 0.5 * std::log(2.0 / 3.0), 1e-14));
  CHECK(kl_divergence(vector({0.3, 0.7}), vector({0.3, 0.7})) == 0.0);
  CHECK_THAT(kl_divergence(vector({0.0, 1.0}), vector({0.5, 0.5})),
             WithinRel(std::log(2.0), 1e-15));
  CHECK(kl_divergence(vector({0.5, 0.5}), vector({1.0, 0.0})) ==
        std::numeric_limits<double>::infinity());
  CHECK_THROWS_AS(kl_divergence(vector({1.0}), vector({0.5, 0.5})), InvalidArgument);
  CHECK_THROWS_AS(kl_divergence(vector({1.5, -0.5}), vector({0.5, 0.5})), InvalidArgument);
  CHECK_THROWS_AS(kl_divergence(vector({0.5, std::nan("")}), vector({0.5, 0.5})), InvalidArgument);
}

TEST_CASE("Jensen-Shannon divergence is symmetric and at most log 2", "[core][divergence]") {
  const Vector p = vector({0.2, 0.8, 0.0}), q = vector({0.5, 0.2, 0.3});
  CHECK(jensen_shannon_divergence(p, q) == jensen_shannon_divergence(q, p));
  CHECK(jensen_shannon_divergence(p, p) == 0.0);
  CHECK_THAT(jensen_shannon_divergence(vector({1.0, 0.0}), vector({0.0, 1.0})),
             WithinRel(std::log(2.0), 1e-15));
}

TEST_CASE("Sinkhorn divergence of two single points is their distance", "[core][divergence]") {
  Points x(3, 2);
  x << 0.0, 0.0, 3.0, 4.0, 9.0, 9.0;
  const SinkhornResult r = sinkhorn_divergence(vector({1.0, 0.0, 0.0}), vector({0.0, 1.0, 0.0}), x);
  CHECK_THAT(r.divergence, WithinRel(5.0, 1e-12));
  CHECK(r.status == Status::kConverged);
}

TEST_CASE("Sinkhorn divergence vanishes for equal distributions only", "[core][divergence]") {
  const Vector p = vector({0.1, 0.2, 0.3, 0.4}), q = vector({0.4, 0.3, 0.2, 0.1});
  CHECK(sinkhorn_divergence(p, p, segment(4)).divergence < 1e-8);
  CHECK(sinkhorn_divergence(p, q, segment(4)).divergence > 1e-2);
  CHECK_THAT(sinkhorn_divergence(p, q, segment(4)).divergence,
             WithinRel(sinkhorn_divergence(q, p, segment(4)).divergence, 1e-6));
}

TEST_CASE("Sinkhorn divergence tends to the transport distance with its regularization",
          "[core][divergence]") {
  const Index n = 30;
  Vector p(n), q(n);
  for (Index i = 0; i < n; ++i) {
    const double x = static_cast<double>(i) / static_cast<double>(n - 1);
    p(i) = std::exp(-50.0 * (x - 0.3) * (x - 0.3));
    q(i) = std::exp(-80.0 * (x - 0.6) * (x - 0.6));
  }
  p /= p.sum();
  q /= q.sum();
  const double expected = distance_on_line(p, q, 1.0 / static_cast<double>(n - 1));
  double last = 1.0;
  for (const double regularization : {0.3, 0.03, 0.003}) {
    const SinkhornResult r = sinkhorn_divergence(
        p, q, segment(n), {.regularization = regularization, .tolerance = 1e-6});
    CHECK(r.status == Status::kConverged);
    // Each of the plans gains at most its entropy times the regularization.
    const double error = std::abs(r.divergence - expected);
    CHECK(error <= regularization * std::max(pomlux::entropy(p), pomlux::entropy(q)) + 1e-6);
    CHECK(error < last);
    last = error;
  }
}

TEST_CASE("Sinkhorn divergence reports its limit and refuses bad input", "[core][divergence]") {
  const Vector p = vector({0.1, 0.2, 0.3, 0.4}), q = vector({0.4, 0.3, 0.2, 0.1});
  CHECK(
      sinkhorn_divergence(p, q, segment(4), {.regularization = 1e-3, .max_iterations = 2}).status ==
      Status::kIterationLimit);
  CHECK_THROWS_AS(sinkhorn_divergence(p, q, segment(3)), InvalidArgument);
  CHECK_THROWS_AS(sinkhorn_divergence(p, 2.0 * q, segment(4)), InvalidArgument);
  CHECK_THROWS_AS(sinkhorn_divergence(p, q, segment(4), {.regularization = 0.0}), InvalidArgument);
  CHECK_THROWS_AS(sinkhorn_divergence(p, q, segment(4), {.tolerance = 1.0}), InvalidArgument);
  CHECK_THROWS_AS(sinkhorn_divergence(p, q, segment(4), {.max_iterations = 0}), InvalidArgument);
  CHECK_THROWS_AS(sinkhorn_divergence(p, q, segment(4), {.memory_limit = 100.0}),
                  pomlux::MemoryLimitExceeded);
  Points bad = segment(4);
  bad(2, 0) = std::nan("");
  CHECK_THROWS_AS(sinkhorn_divergence(p, q, bad), InvalidArgument);
}
