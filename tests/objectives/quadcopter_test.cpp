// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/objectives/quadcopter.hpp>
#include <string>
#include <vector>

#include "catch.hpp"
#include "oracle.hpp"

namespace {

using namespace pomlux;
using quadcopter::Control;
using quadcopter::Controls;

const nlohmann::json& flight_oracle() {
  static const nlohmann::json oracle = test::load_oracle("quadcopter.json");
  return oracle;
}

Controls stored_controls() {
  const Points rows = test::to_points(flight_oracle()["nominal"]["U"]);
  REQUIRE(rows.rows() == quadcopter::kSteps);
  Controls controls;
  for (std::size_t t = 0; t < controls.size(); ++t) {
    controls[t] = rows.row(static_cast<Index>(t)).transpose();
  }
  return controls;
}

double cost_with(const Controls& controls, const Control& disturbance, const Control& gains) {
  return quadcopter::flight_cost(controls, quadcopter::make_feedback(disturbance, gains));
}

Points random_gains(std::uint64_t seed, Index n) {
  Rng rng = make_stream(seed, "test_gains");
  return Domain::random(Vector::Zero(4), Vector::Constant(4, 20.0), n, rng).points();
}

/// Mean and standard deviation of numbers, one per instance.
struct Moments {
  double mean, stddev;
};
Moments moments_of(const std::vector<double>& numbers) {
  const Eigen::Map<const Eigen::ArrayXd> x(numbers.data(), static_cast<Index>(numbers.size()));
  const double n = static_cast<double>(numbers.size());
  return {x.mean(), std::sqrt((x - x.mean()).square().sum() / (n - 1.0))};
}

}  // namespace

TEST_CASE("A quadcopter's objective has the reference's values", "[objectives][quadcopter]") {
  const Controls stored = stored_controls();
  const Controls own = quadcopter::find_nominal_controls().controls;
  const Controls coarse = quadcopter::find_nominal_controls({.tolerance = 1e-6}).controls;
  for (const auto& row : flight_oracle()["objective"]) {
    CAPTURE(row["label"].get<std::string>());
    const Control disturbance = test::to_vector(row["d_p"]), gains = test::to_vector(row["k_p"]);
    const double expected = row["f"].get<double>();
    const double cost = cost_with(stored, disturbance, gains);
    const std::string kind = std::isnan(cost) ? "nan" : std::isinf(cost) ? "inf" : "finite";
    CHECK(kind == row["cost_class"].get<std::string>());
    CHECK_THAT(Quadcopter::value_of(cost), WithinAbs(expected, kQuadcopterError));
    if (expected > -0.999) CHECK_THAT(cost, WithinRel(row["cost"].get<double>(), 1e-9));
    CHECK_THAT(Quadcopter::value_of(cost_with(own, disturbance, gains)),
               WithinAbs(expected, kQuadcopterControlError));
    CHECK_THAT(Quadcopter::value_of(cost_with(coarse, disturbance, gains)),
               WithinAbs(expected, 1e-4));
    const Points point = gains.transpose();
    CHECK_THAT((*Quadcopter(disturbance).true_values(point))(0),
               WithinAbs(expected, kQuadcopterControlError));
  }
}

TEST_CASE("Feedback that equals the disturbance flies the nominal flight, bit for bit",
          "[objectives][quadcopter]") {
  const Controls controls = quadcopter::find_nominal_controls().controls;
  const double nominal = cost_with(controls, Control::Zero(), Control::Zero());
  const Points gains = random_gains(1, 20);
  for (Index i = 0; i < gains.rows(); ++i) {
    const Control both = gains.row(i).transpose();
    CHECK(cost_with(controls, both, both) == nominal);
  }
  CHECK_THAT(Quadcopter::value_of(nominal), WithinAbs(0.7432951117658901, 1e-9));
}

TEST_CASE("A flight without a cost counts -1", "[objectives][quadcopter]") {
  CHECK(Quadcopter::value_of(kNaN) == -1.0);
  CHECK(Quadcopter::value_of(kInfinity) == -1.0);
  CHECK(Quadcopter::value_of(0.0) == std::tanh(1.0));
  CHECK(Quadcopter::value_of(100.0) == 0.0);
  Points huge(1, 4);
  huge << 1e300, 1e300, 1e300, 1e300;
  CHECK((*Quadcopter(Control::Zero()).true_values(huge))(0) == -1.0);
}

TEST_CASE("Random instances of the quadcopter have the reference's distribution",
          "[objectives][quadcopter]") {
  constexpr int kInstances = 100;
  constexpr Index kPoints = 400;
  constexpr double kReferenceInstances = 1000.0;
  const auto& statistics = flight_oracle()["f_statistics"];
  const Vector levels = test::to_vector(statistics["quantile_levels"]);
  const Vector quantiles = test::to_vector(statistics["thousand_draws_pooled_quantiles"]);

  std::map<std::string, std::vector<double>> found;  // one number per instance
  std::vector<std::vector<double>> shares(static_cast<std::size_t>(levels.size()));
  const Controls controls = quadcopter::find_nominal_controls().controls;
  for (int seed = 0; seed < kInstances; ++seed) {
    const Control disturbance = draw_quadcopter_disturbance(static_cast<std::uint64_t>(seed));
    const Points gains = random_gains(static_cast<std::uint64_t>(seed), kPoints);
    Eigen::ArrayXd f(kPoints);
    for (Index i = 0; i < kPoints; ++i) {
      f(i) = Quadcopter::value_of(cost_with(controls, disturbance, gains.row(i).transpose()));
    }
    std::sort(f.begin(), f.end());
    const double best = f(kPoints - 1);
    found["max"].push_back(best);
    found["median"].push_back(0.5 * (f(kPoints / 2 - 1) + f(kPoints / 2)));
    found["mean"].push_back(f.mean());
    found["fraction_below_minus_0p999"].push_back((f < -0.999).cast<double>().mean());
    found["fraction_above_0p6"].push_back((f > 0.6).cast<double>().mean());
    found["gap_best_to_second"].push_back(best - f(kPoints - 2));
    found["n_within_0p02_of_best"].push_back((f >= best - 0.02).cast<double>().sum());
    for (std::size_t k = 0; k < shares.size(); ++k) {
      shares[k].push_back((f <= quantiles(static_cast<Index>(k))).cast<double>().mean());
    }
  }
  // Fixed seeds. Points of one instance hang together, so an instance is one draw, here and in the
  // reference: z-scores with both standard errors, 13 of them, below 4 (in all 1e-3 by chance).
  for (const auto& [name, numbers] : found) {
    CAPTURE(name);
    const auto& expected = statistics["per_draw_over_thousand"][name];
    const Moments own = moments_of(numbers);
    const double reference_stddev = expected["std"].get<double>();
    const double error = std::sqrt(own.stddev * own.stddev / kInstances +
                                   reference_stddev * reference_stddev / kReferenceInstances);
    CHECK(std::abs(own.mean - expected["mean"].get<double>()) < 4.0 * error);
  }
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const auto at = static_cast<Index>(k);
    if (quantiles(at) == -1.0 || levels(at) == 1.0) continue;  // ties; an extreme
    CAPTURE(levels(at));
    const Moments own = moments_of(shares[k]);
    const double error = own.stddev * std::sqrt(1.0 / kInstances + 1.0 / kReferenceInstances);
    CHECK(std::abs(own.mean - levels(at)) < 4.0 * error);
  }
}

TEST_CASE("The quadcopter's disturbance is chi-square with one degree of freedom",
          "[objectives][quadcopter]") {
  constexpr int kSeeds = 5000;
  constexpr double kCount = 4.0 * kSeeds;
  double sum = 0.0, squares = 0.0, below = 0.0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Control d = draw_quadcopter_disturbance(seed);
    CHECK(d.minCoeff() >= 0.0);
    sum += d.sum();
    squares += d.squaredNorm();
    below += (d.array() < 1.0).cast<double>().sum();
  }
  // E d = 1, E d² = 3, E d⁴ = 105 and P[d < 1] = 0.6827; five standard errors, fixed seeds.
  CHECK_THAT(sum / kCount, WithinAbs(1.0, 5.0 * std::sqrt(2.0 / kCount)));
  CHECK_THAT(squares / kCount, WithinAbs(3.0, 5.0 * std::sqrt(96.0 / kCount)));
  const double share = 0.6826894921370859;
  CHECK_THAT(below / kCount, WithinAbs(share, 5.0 * std::sqrt(share * (1.0 - share) / kCount)));
  CHECK(draw_quadcopter_disturbance(3) == draw_quadcopter_disturbance(3));
  CHECK(draw_quadcopter_disturbance(3) != draw_quadcopter_disturbance(4));
}

TEST_CASE("A quadcopter's values do not depend on threads or company", "[objectives][quadcopter]") {
  const Quadcopter objective(draw_quadcopter_disturbance(5), {.noise_stddev = 0.1});
  const Points gains = random_gains(5, 50);
  const Vector all = *objective.true_values(gains);
  const auto evaluate = [&](int threads) {
    Vector values;
    with_threads(threads, [&] {
      Rng rng = make_stream(1, "test");
      values = objective.evaluate(gains, rng);
    });
    return values;
  };
  CHECK(evaluate(1) == evaluate(4));
  for (Index i = 0; i < gains.rows(); ++i) {
    CHECK((*objective.true_values(gains.middleRows(i, 1)))(0) == all(i));
  }
  CHECK(*Quadcopter(draw_quadcopter_disturbance(5)).true_values(gains) == all);
}

TEST_CASE("A quadcopter refuses what is no gain, disturbance or tolerance",
          "[objectives][quadcopter]") {
  const Quadcopter objective(Control(0.5, 1.2, 0.3, 2.0));
  Points bad = Points::Ones(2, 4);
  bad(1, 2) = -0.5;
  CHECK_THROWS_WITH(objective.true_values(bad),
                    ContainsSubstring("row 1 of points") && ContainsSubstring("-0.5"));
  bad(1, 2) = kInfinity;
  CHECK_THROWS_WITH(objective.true_values(bad), ContainsSubstring("row 1 of points"));
  CHECK_THROWS_WITH(objective.true_values(Points::Ones(1, 3)), ContainsSubstring("3"));
  CHECK_THROWS_WITH(Quadcopter(Control(0.5, -1.2, 0.3, 2.0)),
                    ContainsSubstring("disturbance") && ContainsSubstring("-1.2"));
  CHECK_THROWS_AS(Quadcopter(Control(0.5, kNaN, 0.3, 2.0)), InvalidArgument);
  CHECK_THROWS_WITH(Quadcopter(Control::Zero(), {.noise_stddev = -1.0}),
                    ContainsSubstring("noise_stddev is -1"));
  CHECK_THROWS_WITH(Quadcopter(Control::Zero(), {.control_tolerance = -1.0}),
                    ContainsSubstring("tolerance is -1"));
}
