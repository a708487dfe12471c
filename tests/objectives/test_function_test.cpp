// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/test_function.hpp>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "oracle.hpp"

namespace {

using namespace pomlux;

/// A row of the oracle file and the function it is about.
struct OracleCase {
  std::string label;
  TestFunction function;
  double sign;  // -1 where the oracle has the function negated
  nlohmann::json row;
};

/// "ackley_d5" is ackley in five dimensions; drop_wave is there in both signs.
std::vector<OracleCase> oracle_cases() {
  std::vector<OracleCase> cases;
  for (const nlohmann::json& row : test::load_oracle("test_functions.json")) {
    const std::string label = row.at("name");
    const std::size_t suffix = label.rfind("_d");
    const bool is_scalable = suffix != std::string::npos && std::isdigit(label.back()) != 0;
    std::string name = is_scalable ? label.substr(0, suffix) : label;
    if (label == "drop_wave_paper") name = "drop_wave";
    const double sign = label == "drop_wave" ? -1.0 : 1.0;
    cases.push_back({label, TestFunction(name, row.at("dim").get<Index>()), sign, row});
  }
  return cases;
}

double tolerance(double value) { return kTestFunctionError * std::max(1.0, std::abs(value)); }

/// Best value among uniform points of the box and points around the stated optima.
double best_found(const TestFunction& function, Rng& rng) {
  constexpr int kUniform = 20000, kNear = 2000;
  const Vector extent = function.upper() - function.lower();
  const Points optima = function.optimizers();
  double best = -kInfinity;
  for (int i = 0; i < kUniform + kNear; ++i) {
    Vector x = function.lower();
    for (Index k = 0; k < x.size(); ++k) x(k) += extent(k) * draw_uniform(rng);
    if (i >= kUniform) {
      const Vector centre = optima.row(i % optima.rows()).transpose();
      x = (centre + 1e-3 * (x - centre)).cwiseMax(function.lower()).cwiseMin(function.upper());
    }
    best = std::max(best, sign_of(function.sense()) * function.value(x.transpose()));
  }
  return best;
}

}  // namespace

TEST_CASE("Test functions agree with the oracle", "[objectives][test_function]") {
  std::set<std::string> seen;
  for (const OracleCase& c : oracle_cases()) {
    CAPTURE(c.label);
    seen.insert(c.function.row().name);
    const Points x = test::to_points(c.row.at("x"));
    const Vector f = c.sign * test::to_vector(c.row.at("f"));
    const Vector values = *c.function.true_values(x);
    // Near its ridge, the rounding of what stands under the root costs bukin6 half the digits.
    const double factor = c.label == "bukin6" ? 1e6 : 1.0;
    for (Index i = 0; i < x.rows(); ++i) {
      CAPTURE(i);
      CHECK_THAT(values(i), WithinAbs(f(i), factor * tolerance(f(i))));
    }
    const bool is_minimised = c.row.at("sense") == "min";
    CHECK((c.function.sense() == Sense::kMinimize) == (is_minimised == (c.sign > 0.0)));
  }
  CHECK(seen.size() == 24);
}

TEST_CASE("Test functions have the boxes and optima of the oracle", "[objectives][test_function]") {
  for (const OracleCase& c : oracle_cases()) {
    CAPTURE(c.label);
    const double optimum = c.sign * test::to_double(c.row.at("optimum_f"));
    CHECK_THAT(c.function.optimum(), WithinAbs(optimum, tolerance(optimum)));
    const Points expected = test::to_points(c.row.at("optimum_x"));
    const Points found = c.function.optimizers();
    REQUIRE(found.rows() == expected.rows());
    CHECK((found - expected).cwiseAbs().maxCoeff() == 0.0);
    if (c.label == "drop_wave_paper") continue;  // the paper has boxes of its own
    const Points box = test::to_points(c.row.at("domain"));
    CHECK(c.function.lower() == box.col(0));
    CHECK(c.function.upper() == box.col(1));
  }
}

TEST_CASE("No point of the box is better than the optimum of a test function",
          "[objectives][test_function]") {
  Rng rng = make_stream(1, "test_function");
  for (const TestFunctionRow& row : test_function_table()) {
    for (const Index d :
         std::set{row.smallest_dimension,
                  std::clamp<Index>(4, row.smallest_dimension, row.largest_dimension)}) {
      CAPTURE(row.name, d);
      const TestFunction function(row.name, d);
      const Points optima = function.optimizers();
      const double optimum = function.optimum();
      CHECK(best_found(function, rng) <= sign_of(row.sense) * optimum + tolerance(optimum));
      for (Index i = 0; i < optima.rows(); ++i) {
        CHECK((optima.row(i).transpose().array() >= function.lower().array()).all());
        CHECK((optima.row(i).transpose().array() <= function.upper().array()).all());
        // A rounded optimiser of a smooth function misses by the square of its rounding, that of
        // a rescaled function by the rounding of the box on top.
        CHECK_THAT(function.value(optima.row(i)), WithinAbs(optimum, 10.0 * tolerance(optimum)));
      }
    }
  }
}

TEST_CASE("Rescaled and shifted test functions are what they are named after",
          "[objectives][test_function]") {
  const TestFunction branin("branin"), branin_rescaled("branin_rescaled");
  const TestFunction camel("six_hump_camel"), camel_rescaled("six_hump_camel_rescaled");
  const TestFunction price("goldstein_price"), price_rescaled("goldstein_price_rescaled");
  const Eigen::RowVector2d u(0.3, 0.9);
  const Eigen::RowVector2d b(15.0 * 0.3 - 5.0, 15.0 * 0.9), c(6.0 * 0.3 - 3.0, 4.0 * 0.9 - 2.0),
      g(4.0 * 0.3 - 2.0, 4.0 * 0.9 - 2.0);
  CHECK_THAT(branin_rescaled.value(u), WithinAbs((branin.value(b) - 54.81) / 51.95, 1e-13));
  CHECK_THAT(camel_rescaled.value(u), WithinAbs(camel.value(c), 1e-13));
  CHECK_THAT(price_rescaled.value(u), WithinAbs((std::log(price.value(g)) - 8.693) / 2.427, 1e-13));
  CHECK_THAT(camel_rescaled.optimum(), WithinAbs(-1.0316284534898774, 1e-13));
  CHECK_THAT(price_rescaled.optimum(), WithinAbs((std::log(3.0) - 8.693) / 2.427, 1e-13));
  // Published to six digits.
  CHECK_THAT(branin_rescaled.optimum(), WithinAbs(-1.047393, 1e-6));
  CHECK_THAT(TestFunction("michalewicz", 10).optimum(), WithinAbs(-9.66015, 1e-5));

  CHECK(TestFunction("sphere_shifted", 2).optimum() == 0.0);
  CHECK(TestFunction("rastrigin_shifted", 4).optimum() == 0.0);
  CHECK(TestFunction("ellipsoid_shifted", 2).optimum() == 2.0);
  CHECK_THAT(TestFunction("sphere_shifted", 2).value(Eigen::RowVector2d(0.47, 0.41)),
             WithinAbs(0.05, 1e-15));
  CHECK_THAT(TestFunction("rastrigin_shifted", 1).value(Point::Constant(1, 0.62)),
             WithinAbs(20.25, 1e-13));
  // A tenth above and a tenth below the optimum, by another program:
  // 2 + T(0.1)^2 + 10 T(-0.1)^2 with h = ln 0.1.
  CHECK_THAT(TestFunction("ellipsoid_shifted", 2).value(Eigen::RowVector2d(0.47, 0.51)),
             WithinAbs(2.0589332218663308, 1e-13));
}

TEST_CASE("drop_wave on the paper's grid is largest at two symmetric points",
          "[objectives][test_function]") {
  const TestFunction drop_wave("drop_wave");
  CHECK(drop_wave.value(Eigen::RowVector2d(0.0, 0.0)) == 1.0);
  CHECK_THAT(drop_wave.value(Eigen::RowVector2d(1.0, 1.0)), WithinAbs(0.2322196875, 5e-11));
  CHECK_THAT(drop_wave.value(Eigen::RowVector2d(-0.5, 0.25)), WithinAbs(0.8862752710, 5e-11));
  const std::vector<Index> counts = {25, 25};
  const Domain domain = Domain::grid(Vector::Constant(2, -2.5), Vector::Constant(2, 2.0), counts);
  const Vector values = *drop_wave.true_values(domain.points());
  Index best = 0;
  CHECK_THAT(values.maxCoeff(&best), WithinAbs(0.9354550169, 5e-11));
  CHECK(domain.point(best) == Point(Eigen::RowVector2d(0.125, 0.5)));
  const Index mirror = domain.find(Eigen::RowVector2d(0.5, 0.125));
  REQUIRE(mirror >= 0);
  CHECK(values(mirror) == values(best));
  CHECK((values.array() > 0.935).count() == 2);
}

TEST_CASE("Test functions say what they are", "[objectives][test_function]") {
  std::set<std::string> names;
  for (const TestFunctionRow& row : test_function_table()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    CHECK(find_test_function(row.name) == &row);
    CHECK(row.citation.size() > 10);
    CHECK((TestFunction(row.name).lower().array() < TestFunction(row.name).upper().array()).all());
  }
  CHECK(find_test_function("ackely") == nullptr);
  CHECK(find_test_function("branin")->domain_text() == "minimised on [-5, 10] x [0, 15]");
  CHECK(find_test_function("hartmann6")->domain_text() == "minimised on [0, 1]^6");
  CHECK(find_test_function("levy")->domain_text() == "minimised on [-10, 10]^d, d from 1 to 10000");
  CHECK(find_test_function("drop_wave")->domain_text() == "maximised on [-5.12, 5.12]^2");
}

TEST_CASE("Test functions refuse what they are not defined for", "[objectives][test_function]") {
  CHECK_THROWS_WITH(TestFunction("ackely"),
                    ContainsSubstring("'ackely'") && ContainsSubstring("ackley"));
  CHECK_THROWS_WITH(TestFunction("branin", 3),
                    ContainsSubstring("dimension 3") && ContainsSubstring("allowed: 2"));
  CHECK_THROWS_WITH(TestFunction("rosenbrock", 1), ContainsSubstring("from 2 to 10000"));
  CHECK_THROWS_AS(TestFunction("michalewicz", 11), InvalidArgument);
  CHECK_THROWS_WITH(TestFunction("rosenbrock").true_values(Points::Constant(1, 2, 1e200)),
                    ContainsSubstring("row 0 of points overflows"));
  CHECK(TestFunction("drop_wave").value(Eigen::RowVector2d(1e200, -1e200)) == 0.0);
}
