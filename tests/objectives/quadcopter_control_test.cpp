// SPDX-License-Identifier: MIT
#include <cmath>
#include <pomlux/core/rng.hpp>
#include <pomlux/objectives/quadcopter_control.hpp>

#include "catch.hpp"
#include "oracle.hpp"

namespace {

using namespace pomlux;
using namespace pomlux::quadcopter;

const nlohmann::json& control_oracle() {
  static const nlohmann::json oracle = test::load_oracle("quadcopter.json");
  return oracle;
}

Feedback feedback_of(const nlohmann::json& row) {
  return make_feedback(test::to_vector(row["d_p"]), test::to_vector(row["k_p"]));
}

/// Largest error, relative to 1 + size.
double error_of(const Matrix& found, const Matrix& expected) {
  REQUIRE(found.rows() == expected.rows());
  REQUIRE(found.cols() == expected.cols());
  return ((found - expected).array() / (1.0 + expected.array().abs())).abs().maxCoeff();
}

State random_state(Rng& rng) {
  State state;
  for (double& entry : state) entry = 2.0 * draw_uniform(rng) - 1.0;
  return state;
}

}  // namespace

TEST_CASE("A quadcopter's step has the reference's values", "[objectives][quadcopter]") {
  for (const auto& row : control_oracle()["steps"]) {
    CAPTURE(row["state"].dump());
    const State state = test::to_vector(row["state"]);
    const Control control = with_feedback(test::to_vector(row["control"]), state, feedback_of(row));
    CHECK(error_of(step(state, control), test::to_vector(row["next_state"])) < kStepError);
  }
}

TEST_CASE("A quadcopter that rests and hovers stays, and one that falls gains speed",
          "[objectives][quadcopter]") {
  State state = State::Zero();
  state.head<3>() << 4.0, -5.0, 6.0;
  const Control hover(kMass * kGravity, 0.0, 0.0, 0.0);
  CHECK(error_of(step(state, hover), state) < 1e-15);
  State fallen = state;
  fallen(5) = -kTimeStep * kGravity;
  CHECK(error_of(step(state, Control::Zero()), fallen) < 1e-15);
  // A turn about z does not change how it flies: yaw and the horizontal axes turn together.
  Rng rng = make_stream(1, "test");
  const State before = random_state(rng);
  const Control control(2.0, 0.3, -0.2, 0.1);
  const double angle = 0.7;
  const auto turned = [&](State s) {
    Eigen::Matrix2d turn;
    turn << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    s.head<2>() = turn * s.head<2>().eval();
    s.segment<2>(3) = turn * s.segment<2>(3).eval();
    s(8) += angle;
    return s;
  };
  CHECK(error_of(step(turned(before), control), turned(step(before, control))) < 1e-14);
}

TEST_CASE("The derivatives of a quadcopter's step are the reference's",
          "[objectives][quadcopter]") {
  for (const auto& row : control_oracle()["jacobians"]) {
    const State state = test::to_vector(row["state"]);
    const Feedback feedback = feedback_of(row);
    const Linearization found =
        linearize(state, with_feedback(test::to_vector(row["control"]), state, feedback));
    // The reference has the feedback in the step.
    Matrix gains = Matrix::Zero(kControls, kStates);
    const Index position[] = {2, 6, 7, 8};
    const Index rate[] = {5, 9, 10, 11};
    for (Index k = 0; k < kControls; ++k) {
      gains(k, position[k]) = feedback.position(k);
      gains(k, rate[k]) = feedback.rate(k);
    }
    const Matrix closed = found.state + found.control * gains;
    CHECK(error_of(closed, test::to_points(row["A"])) < kJacobianError);
    CHECK(error_of(found.control, test::to_points(row["B"])) < kJacobianError);
  }
}

TEST_CASE("The derivatives of a quadcopter's step agree with differences",
          "[objectives][quadcopter]") {
  constexpr double kWidth = 1e-5;  // error about width² and rounding / width, both 1e-10
  Rng rng = make_stream(2, "test");
  for (int repeat = 0; repeat < 20; ++repeat) {
    const State state = random_state(rng);
    const Control control(3.0 * draw_uniform(rng), draw_normal(rng), draw_normal(rng), 1.0);
    const Linearization found = linearize(state, control);
    Matrix by_state(kStates, kStates), by_control(kStates, kControls);
    for (Index k = 0; k < kStates; ++k) {
      const State h = kWidth * State::Unit(k);
      by_state.col(k) = (step(state + h, control) - step(state - h, control)) / (2.0 * kWidth);
    }
    for (Index k = 0; k < kControls; ++k) {
      const Control h = kWidth * Control::Unit(k);
      by_control.col(k) = (step(state, control + h) - step(state, control - h)) / (2.0 * kWidth);
    }
    CHECK(error_of(found.state, by_state) < 2e-9);
    CHECK(error_of(found.control, by_control) < 2e-9);
  }
}

TEST_CASE("Flights of constant controls cost what the reference says", "[objectives][quadcopter]") {
  const Feedback none = make_feedback(Control::Zero(), Control::Zero());
  Controls controls;
  controls.fill(Control::Zero());
  CHECK_THAT(flight_cost(controls, none),
             WithinRel(control_oracle()["zero_control_cost"].get<double>(), 1e-12));
  controls.fill(Control(1.766, 0.0, 0.0, 0.0));
  CHECK_THAT(flight_cost(controls, none),
             WithinRel(control_oracle()["hover_control_cost"].get<double>(), 1e-12));
}

TEST_CASE("The nominal controls are found as in the reference", "[objectives][quadcopter]") {
  const NominalControls found = find_nominal_controls();
  CHECK(found.status == Status::kConverged);
  const auto& trace = control_oracle()["ilqr_trace"];
  REQUIRE(found.trace.size() == 15);
  for (std::size_t i = 0; i < found.trace.size(); ++i) {
    CAPTURE(i);
    CHECK_THAT(found.trace[i].cost, WithinRel(trace[i]["cost"].get<double>(), 1e-12));
    // Relative to the gradient of the start, near 2000, 1e-12 is a rounding or two.
    const double norm = trace[i]["gradient_norm"].get<double>();
    CHECK_THAT(found.trace[i].gradient_norm, WithinRel(norm, 1e-12) || WithinAbs(norm, 1e-12));
    CHECK(found.trace[i].step_length == (i == 0 ? 0.0 : 1.0));
  }
  CHECK_THAT(found.trace.back().cost, WithinRel(4.219739327871956, 1e-9));
  CHECK(found.trace.back().gradient_norm <= 1e-8);
  const Feedback none = make_feedback(Control::Zero(), Control::Zero());
  CHECK(flight_cost(found.controls, none) == found.trace.back().cost);
}

TEST_CASE("Nominal controls stopped early are as far off as the reference's",
          "[objectives][quadcopter]") {
  const Points best = test::to_points(control_oracle()["nominal"]["U"]);
  for (const auto& row : control_oracle()["stopping_sensitivity"]) {
    if (row["test_previous_iterate"].get<bool>()) continue;
    CAPTURE(row["gradient_tolerance"].get<double>());
    const NominalControls found =
        find_nominal_controls({.tolerance = row["gradient_tolerance"].get<double>()});
    CHECK(found.status == Status::kConverged);
    CHECK(found.trace.size() == row["iterations"].get<std::size_t>() + 1);
    CHECK_THAT(found.trace.back().cost, WithinRel(row["cost"].get<double>(), 1e-12));
    double difference = 0.0;
    for (std::size_t t = 0; t < found.controls.size(); ++t) {
      const Control expected = best.row(static_cast<Index>(t)).transpose();
      difference = std::max(difference, (found.controls[t] - expected).cwiseAbs().maxCoeff());
    }
    CHECK_THAT(difference, WithinRel(row["max_abs_dU"].get<double>(), 1e-3));
  }
}

TEST_CASE("The search for nominal controls says how it ended", "[objectives][quadcopter]") {
  // Rounding keeps the gradient above this.
  const NominalControls stalled = find_nominal_controls({.tolerance = 1e-14});
  CHECK(stalled.status == Status::kRoundingLimited);
  CHECK(stalled.trace.back().gradient_norm < 1e-8);
  const NominalControls cut = find_nominal_controls({.max_iterations = 2});
  CHECK(cut.status == Status::kIterationLimit);
  CHECK(cut.trace.size() == 3);
  const NominalControls none = find_nominal_controls({.max_iterations = 0});
  CHECK(none.trace.size() == 1);
  for (const Control& control : none.controls) CHECK(control == Control::Zero());
  CHECK_THROWS_WITH(find_nominal_controls({.tolerance = 0.0}),
                    ContainsSubstring("tolerance is 0; allowed: > 0"));
  CHECK_THROWS_WITH(find_nominal_controls({.tolerance = std::nan("")}),
                    ContainsSubstring("tolerance is nan"));
  CHECK_THROWS_WITH(find_nominal_controls({.max_iterations = -1}),
                    ContainsSubstring("max_iterations is -1; allowed: >= 0"));
}
