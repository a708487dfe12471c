// SPDX-License-Identifier: MIT
#include <pomlux/core/domain.hpp>
#include <pomlux/objectives/drop_wave.hpp>
#include <vector>

#include "catch.hpp"
#include "oracle.hpp"

namespace {

using namespace pomlux;

constexpr double kDropWaveError = 1e-13;  // times max(1, |f|), as in the header

}  // namespace

TEST_CASE("drop_wave agrees with the oracle and attains its optimum", "[objectives][drop_wave]") {
  const nlohmann::json functions = test::load_oracle("test_functions.json");
  int found = 0;
  for (const nlohmann::json& function : functions) {
    const std::string name = function.at("name");
    if (name != "drop_wave_paper" && name != "drop_wave") continue;
    ++found;
    const double sign = name == "drop_wave" ? -1.0 : 1.0;  // usually published as a minimisation
    const Points x = test::to_points(function.at("x"));
    const Vector f = test::to_vector(function.at("f"));
    for (Index i = 0; i < x.rows(); ++i) {
      CHECK_THAT(drop_wave(x(i, 0), x(i, 1)), WithinAbs(sign * f(i), kDropWaveError));
    }
    const Points optimum = test::to_points(function.at("optimum_x"));
    CHECK(drop_wave(optimum(0, 0), optimum(0, 1)) ==
          sign * test::to_double(function.at("optimum_f")));
  }
  CHECK(found == 2);
}

TEST_CASE("drop_wave on the paper's grid is largest at two symmetric points",
          "[objectives][drop_wave]") {
  CHECK(drop_wave(0.0, 0.0) == 1.0);
  CHECK_THAT(drop_wave(1.0, 1.0), WithinAbs(0.2322196875, 5e-11));
  CHECK_THAT(drop_wave(-0.5, 0.25), WithinAbs(0.8862752710, 5e-11));
  const std::vector<Index> counts = {25, 25};
  const Domain domain = Domain::grid(Vector::Constant(2, -2.5), Vector::Constant(2, 2.0), counts);
  const Vector values = *DropWave().true_values(domain.points());
  Index best = 0;
  CHECK_THAT(values.maxCoeff(&best), WithinAbs(0.9354550169, 5e-11));
  CHECK(domain.point(best) == Point(Eigen::RowVector2d(0.125, 0.5)));
  const Index mirror = domain.find(Eigen::RowVector2d(0.5, 0.125));
  REQUIRE(mirror >= 0);
  CHECK(values(mirror) == values(best));
  CHECK((values.array() > 0.935).count() == 2);
}

TEST_CASE("drop_wave stays finite far from the origin", "[objectives][drop_wave]") {
  CHECK(drop_wave(1e200, -1e200) == 0.0);
  CHECK(drop_wave(1e-200, 0.0) == 1.0);
}
