// SPDX-License-Identifier: MIT
// The paper's variational characterisations: F-LITE maximises W over the simplex, F-VAPOR V.
#include <functional>  // objectives
#include <pomlux/core/normal.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/vapor.hpp>

#include "catch.hpp"
#include "pom_oracle.hpp"

using pomlux::f_lite;
using pomlux::Index;
using pomlux::Pom;
using pomlux::vapor;
using pomlux::Vector;
using namespace pomlux::test;

namespace {

/// p times the exploration bonus sqrt(2 I(p)) with the quasi-surprisal I(u) = (phi(Phi^-1(u)) /
/// u)^2 / 2.
double quasi_surprisal_bonus(double p) {
  const double ratio = pomlux::normal_pdf(pomlux::normal_quantile(p)) / p;
  return p * std::sqrt(ratio * ratio);
}

/// The same with the surprisal log(1 / p).
double surprisal_bonus(double p) { return p * std::sqrt(-2.0 * std::log(p)); }

using Bonus = double (*)(double);

double objective(const PomCase& c, const Vector& p, Bonus bonus) {
  double sum = 0.0;
  for (Index i = 0; i < p.size(); ++i) sum += p(i) * c.mean(i) + c.stddev(i) * bonus(p(i));
  return sum;
}

/// d objective / d p_x, by central differences of fourth order.
double gradient(const PomCase& c, const Vector& p, Index x, Bonus bonus) {
  const double step = 1e-3 * std::min(p(x), 1.0 - p(x));
  const auto value = [&](double shift) { return bonus(p(x) + shift); };
  const double slope =
      (8.0 * (value(step) - value(-step)) - (value(2.0 * step) - value(-2.0 * step))) /
      (12.0 * step);
  return c.mean(x) + c.stddev(x) * slope;
}

/// Cases whose entries are all well inside (0, 1), so that differences can be taken.
bool is_interior(const Vector& p) { return p.minCoeff() > 1e-4 && p.maxCoeff() < 1.0 - 1e-4; }

void check_stationary(const PomCase& c, const Pom& pom, Bonus bonus) {
  // kappa, or nu, is the Lagrange multiplier of the constraint sum p = 1.
  const double scale = std::max(c.stddev.maxCoeff(), c.mean.cwiseAbs().maxCoeff());
  for (Index x = 0; x < c.size(); ++x) {
    CAPTURE(x);
    CHECK_THAT(gradient(c, pom.probabilities, x, bonus), WithinAbs(*pom.kappa, 1e-8 * scale));
  }
  const double best = objective(c, pom.probabilities, bonus);
  pomlux::Rng rng = pomlux::make_stream(1, "variational_test");
  for (int repeat = 0; repeat < 20; ++repeat) {
    Vector other(c.size());
    for (Index i = 0; i < c.size(); ++i) other(i) = -std::log(1.0 - pomlux::draw_uniform(rng));
    other /= other.sum();
    CHECK(objective(c, other, bonus) < best);
    const Vector near = 0.99 * pom.probabilities + 0.01 * other;
    CHECK(objective(c, near, bonus) < best);
  }
}

}  // namespace

TEST_CASE("F-LITE maximises expected reward plus quasi-surprisal bonus over the simplex",
          "[estimators][variational]") {
  int checked = 0;
  for (const PomCase& c : pom_cases()) {
    const Pom pom = f_lite(c.mean, c.stddev, {.epsilon = 1e-14});
    if (c.size() < 2 || c.has_certain_arm() || !is_interior(pom.probabilities)) continue;
    CAPTURE(c.name);
    check_stationary(c, pom, quasi_surprisal_bonus);
    ++checked;
  }
  CHECK(checked >= 8);
}

TEST_CASE("F-VAPOR maximises expected reward plus surprisal bonus over the simplex",
          "[estimators][variational]") {
  int checked = 0;
  for (const PomCase& c : pom_cases()) {
    const Pom pom = vapor(c.mean, c.stddev, {.epsilon = 1e-14});
    if (c.size() < 2 || c.has_certain_arm() || !is_interior(pom.probabilities)) continue;
    CAPTURE(c.name);
    check_stationary(c, pom, surprisal_bonus);
    ++checked;
  }
  CHECK(checked >= 8);
}

TEST_CASE("F-LITE is the probability of improvement over its threshold",
          "[estimators][variational]") {
  for (const PomCase& c : pom_cases()) {
    const Pom pom = f_lite(c.mean, c.stddev, {.epsilon = 1e-14});
    if (!pom.kappa || c.has_certain_arm()) continue;
    CAPTURE(c.name);
    for (Index i = 0; i < c.size(); ++i) {
      const double improvement = pomlux::normal_cdf((c.mean(i) - *pom.kappa) / c.stddev(i));
      // One rounding of kappa, as one double, moves the argument.
      const double rounding = 4e-16 * std::abs(*pom.kappa) / c.stddev(i);
      CHECK_THAT(pom.probabilities(i), WithinAbs(improvement, rounding + 1e-13));
    }
  }
}
