// SPDX-License-Identifier: MIT
#include <array>   // sets of arms
#include <cmath>   // logarithms
#include <limits>  // machine precision
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/core/pom.hpp>
#include <pomlux/core/pom_estimator.hpp>
#include <vector>  // index lists

#include "catch.hpp"

using pomlux::Index;
using pomlux::InvalidArgument;
using pomlux::Pom;
using pomlux::Vector;

namespace {

Pom pom_of(std::initializer_list<double> values) {
  Pom pom;
  pom.probabilities.resize(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), pom.probabilities.data());
  return pom;
}

/// Answers whatever it is given.
class Fixed final : public pomlux::PomEstimator {
 public:
  explicit Fixed(Pom pom) : pom_(std::move(pom)) {}

 private:
  Pom do_estimate(const pomlux::GaussianVector&, pomlux::Rng&) const override { return pom_; }
  Pom pom_;
};

Pom estimate_fixed(const Pom& pom, Index n) {
  pomlux::Rng rng = pomlux::make_stream(1, "pom_test");
  const pomlux::IndependentGaussian f(Vector::Zero(n), Vector::Ones(n));
  return Fixed(pom).estimate(f, rng);
}

}  // namespace

TEST_CASE("Entropy is in nats, with 0 log 0 = 0", "[core][pom]") {
  CHECK(pom_of({0.0, 1.0, 0.0}).entropy() == 0.0);
  CHECK_THAT(pom_of({0.5, 0.5}).entropy(), WithinRel(std::log(2.0), 1e-15));
  CHECK_THAT(pomlux::entropy(Vector::Constant(1000, 1e-3)),
             WithinRel(std::log(1000.0), 125.0 * 2.3e-16));
  CHECK(pom_of({1.0 + std::numeric_limits<double>::epsilon()}).entropy() == 0.0);
  CHECK_THROWS_AS(pomlux::entropy(pom_of({1.5, -0.5}).probabilities), InvalidArgument);
  CHECK_THROWS_AS(pomlux::entropy(pom_of({std::nan("")}).probabilities), InvalidArgument);
}

TEST_CASE("The sum behind entropies has its stated error, and NaN for what is no probability",
          "[core][pom]") {
  pomlux::Rng rng = pomlux::make_stream(3, "pom_test");
  std::vector<double> p(1003);
  long double expected = 0.0L, size = 0.0L;
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] = std::exp(-40.0 * pomlux::draw_uniform(rng) * pomlux::draw_uniform(rng));
    if (i % 50 == 0) p[i] = i % 100 == 0 ? 0.0 : 5e-324;
    if (i % 50 == 1) p[i] = 1.0 + 1e-3 * static_cast<double>(i);
    const long double term = p[i] > 0.0 ? -(p[i] * std::log(static_cast<long double>(p[i]))) : 0.0L;
    expected += term;
    size += std::abs(term);
  }
  // A term as stated, and the roundings of 1003 / 8 additions in each lane.
  const double tolerance =
      (pomlux::kEntropyTermRelativeError + 130.0 * 1.2e-16) * static_cast<double>(size);
  CHECK_THAT(pomlux::sum_entropy(p), WithinAbs(static_cast<double>(expected), tolerance));
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double one[] = {p[i]};
    const long double term = p[i] > 0.0 ? -(p[i] * std::log(static_cast<long double>(p[i]))) : 0.0L;
    const double error = std::abs(pomlux::sum_entropy(one) - static_cast<double>(term));
    if (error > pomlux::kEntropyTermRelativeError * std::abs(static_cast<double>(term)) + 2e-305) {
      CHECK(p[i] == -1.0);  // shows the value
    }
  }
  for (const double wrong : {-1e-300, std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{500}, std::size_t{1002}}) {
      std::vector<double> q = p;
      q[i] = wrong;
      CHECK(std::isnan(pomlux::sum_entropy(q)));
    }
  }
}

TEST_CASE("Entropy has the same bits on any number of threads", "[core][pom]") {
  const Vector p = Vector::LinSpaced(100000, 0.0, 2e-5);
  const double alone = pomlux::entropy(p);
  pomlux::with_threads(2, [&] { CHECK(pomlux::entropy(p) == alone); });
}

TEST_CASE("Total variation is half the sum of the distances", "[core][pom]") {
  CHECK_THAT(pom_of({0.5, 0.3, 0.2}).total_variation(pom_of({0.4, 0.4, 0.2})),
             WithinRel(0.1, 1e-15));
  CHECK(pom_of({1.0, 0.0}).total_variation(pom_of({0.0, 1.0})) == 1.0);
  CHECK_THROWS_AS(pom_of({1.0}).total_variation(pom_of({0.5, 0.5})), InvalidArgument);
}

TEST_CASE("The top arms are descending, the lower index first on ties", "[core][pom]") {
  const Pom pom = pom_of({0.2, 0.3, 0.2, 0.3, 0.0});
  CHECK(pom.top(5) == std::vector<Index>{1, 3, 0, 2, 4});
  CHECK(pom.top(2) == std::vector<Index>{1, 3});
  CHECK(pom.top(0).empty());
  CHECK_THROWS_WITH(pom.top(6), "Pom::top: k is 6; must be in 0..5");
  CHECK_THROWS_AS(pom.top(-1), InvalidArgument);
}

TEST_CASE("Expected recall counts every distinct member once", "[core][pom]") {
  const Pom pom = pom_of({0.2, 0.3, 0.5});
  CHECK(pom.expected_recall(std::array<Index, 3>{2, 0, 2}) == 0.7);
  CHECK(pom.expected_recall(std::vector<Index>{}) == 0.0);
  CHECK_THROWS_AS(pom.expected_recall(std::array<Index, 1>{3}), InvalidArgument);
}

TEST_CASE("No order has a higher recall curve than the one by the probabilities", "[core][pom]") {
  const Pom pom = pom_of({0.1, 0.4, 0.2, 0.3});
  const Vector best = pomlux::recall_curve(pom.probabilities, pom.top(4));
  REQUIRE(best.size() == 5);
  CHECK(best(0) == 0.0);
  CHECK(best(1) == 0.4);
  CHECK_THAT(best(4), WithinRel(1.0, 1e-15));
  const Vector other = pomlux::recall_curve(pom.probabilities, std::array<Index, 4>{0, 1, 2, 3});
  CHECK((best - other).minCoeff() >= -1e-15);
  // Trapezoids of (0, .4, .7, .9, 1) at distance 1/4.
  CHECK_THAT(pomlux::recall_area(best), WithinRel(0.625, 1e-15));
  CHECK(pomlux::recall_area(best) > pomlux::recall_area(other));
  CHECK_THROWS_AS(pomlux::recall_curve(pom.probabilities, std::array<Index, 2>{1, 1}),
                  InvalidArgument);
  CHECK_THROWS_AS(pomlux::recall_area(best.head(1)), InvalidArgument);
}

TEST_CASE("Arms are drawn with their probabilities, impossible ones never", "[core][pom]") {
  const Pom pom = pom_of({0.0, 0.25, 0.75, 0.0});
  pomlux::Rng rng = pomlux::make_stream(11, "draw");
  const int m = 20000;
  std::array<int, 4> counts{};
  for (int i = 0; i < m; ++i) ++counts[static_cast<std::size_t>(pom.draw(rng))];
  CHECK(counts[0] == 0);
  CHECK(counts[3] == 0);
  CHECK_THAT(counts[1] / 20000.0, WithinAbs(0.25, 5.0 * std::sqrt(0.25 * 0.75 / 20000.0)));
  CHECK_THROWS_AS(Pom().draw(rng), InvalidArgument);
}

TEST_CASE("An estimator that breaks its contract is an internal error", "[core][pom_estimator]") {
  CHECK(estimate_fixed(pom_of({0.5, 0.5}), 2).size() == 2);
  CHECK_THROWS_AS(estimate_fixed(pom_of({0.5, 0.5}), 3), std::logic_error);
  CHECK_THROWS_AS(estimate_fixed(pom_of({0.5, 0.6}), 2), std::logic_error);
  CHECK_THROWS_AS(estimate_fixed(pom_of({1.5, -0.5}), 2), std::logic_error);
  CHECK_THROWS_AS(estimate_fixed(pom_of({std::nan(""), 1.0}), 2), std::logic_error);
}
