// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <pomlux/core/box.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/rng.hpp>
#include <set>

#include "catch.hpp"

namespace {

using namespace pomlux;

BoxAxis axis(std::string name, double lower, double upper) {
  BoxAxis result;
  result.name = std::move(name);
  result.lower = lower;
  result.upper = upper;
  return result;
}

BoxAxis whole(std::string name, double lower, double upper) {
  BoxAxis result = axis(std::move(name), lower, upper);
  result.is_integer = true;
  return result;
}

BoxAxis logarithmic(std::string name, double lower, double upper) {
  BoxAxis result = axis(std::move(name), lower, upper);
  result.scale = AxisScale::kLog;
  return result;
}

BoxAxis labels(std::string name, std::vector<std::string> categories) {
  BoxAxis result;
  result.name = std::move(name);
  result.categories = std::move(categories);
  return result;
}

/// One axis of each kind.
Box mixed() {
  return Box({axis("x", -1.0, 3.0),
              whole("n", 2.0, 6.0),
              logarithmic("rate", 1e-4, 1.0),
              labels("kind", {"a", "b", "c"})});
}

Point point_of(std::initializer_list<double> values) {
  Point point(static_cast<Index>(values.size()));
  Index k = 0;
  for (const double value : values) point(k++) = value;
  return point;
}

}  // namespace

TEST_CASE("A model sees positions between the ends and categories equally far apart",
          "[core][box]") {
  const Box box = mixed();
  CHECK(box.dimension() == 4);
  CHECK(box.model_dimension() == 6);
  CHECK(box.first_encoded(3) == 3);
  const Points encoded = box.encode(point_of({0.0, 5.0, 1e-3, 1.0}));
  CHECK(encoded(0, 0) == 0.25);
  CHECK(encoded(0, 1) == 0.75);
  CHECK_THAT(encoded(0, 2), WithinAbs(0.25, 1e-15));
  CHECK(encoded(0, 3) == 0.0);
  CHECK(encoded(0, 4) == 1.0);
  CHECK(encoded(0, 5) == 0.0);
}

TEST_CASE("What is decoded lies in the box and encodes to itself", "[core][box]") {
  const Box box = mixed();
  Rng rng = make_stream(1, "box");
  for (int i = 0; i < 500; ++i) {
    Point encoded(6);
    for (double& value : encoded) value = 1.4 * draw_uniform(rng) - 0.2;
    const Point point = box.decode(encoded);
    CHECK(box.contains(point));
    const Point again = box.decode(box.encode(point));
    CHECK_THAT(again(0), WithinAbs(point(0), 1e-15));
    CHECK(again(1) == point(1));
    CHECK_THAT(again(2), WithinRel(point(2), 1e-14));
    CHECK(again(3) == point(3));
  }
  const Point low = point_of({-1.0, 2.0, 1e-4, 0.0}), high = point_of({3.0, 6.0, 1.0, 2.0});
  CHECK(box.decode(box.encode(low)) == low);
  CHECK(box.decode(box.encode(high)) == high);
  CHECK(box.decode(point_of({0.5, 0.624, 0.5, 0.2, 0.1, 0.2}))(1) == 4.0);
  CHECK(box.decode(point_of({0.5, 0.625, 0.5, 0.2, 0.1, 0.2}))(1) == 5.0);
  CHECK(box.decode(point_of({0.5, 0.5, 0.5, 0.2, 0.1, 0.2}))(3) == 0.0);  // the first on ties
}

TEST_CASE("Uniform numbers give every whole number and category an equal share", "[core][box]") {
  const Box box = mixed();
  std::multiset<double> wholes, kinds;
  for (int i = 0; i < 60; ++i) {
    const double u = (i + 0.5) / 60.0;
    const Point point = box.at(point_of({u, u, u, u}));
    wholes.insert(point(1));
    kinds.insert(point(3));
    CHECK_THAT(point(2), WithinRel(std::pow(10.0, 4.0 * u - 4.0), 1e-13));
  }
  for (const double n : {2.0, 3.0, 4.0, 5.0, 6.0}) CHECK(wholes.count(n) == 12);
  for (const double kind : {0.0, 1.0, 2.0}) CHECK(kinds.count(kind) == 20);
  CHECK(box.contains(box.at(point_of({1.0, 1.0, 1.0, 1.0}))));
}

TEST_CASE("A box counts its points", "[core][box]") {
  CHECK(mixed().size() == kInfinity);
  CHECK(Box({whole("n", -1.0, 1.0), labels("kind", {"a", "b"}), axis("c", 2.0, 2.0)}).size() ==
        6.0);
  CHECK(mixed().is_continuous(0));
  CHECK_FALSE(mixed().is_continuous(1));
  CHECK(mixed().is_continuous(2));
  CHECK_FALSE(mixed().is_continuous(3));
}

TEST_CASE("An axis without extent is always at its value", "[core][box]") {
  const Box box(Eigen::Vector2d(2.0, 0.0), Eigen::Vector2d(2.0, 1.0));
  CHECK(box.names() == std::vector<std::string>{"x_0", "x_1"});
  CHECK(box.encode(point_of({2.0, 0.5}))(0, 0) == 0.0);
  CHECK(box.decode(point_of({0.7, 0.5})) == point_of({2.0, 0.5}));
}

TEST_CASE("A point outside names axis, value and what is allowed", "[core][box]") {
  const Box box = mixed();
  const auto message = [&](const Point& point) {
    CHECK_FALSE(box.contains(point));
    try {
      box.require_inside("tell", point);
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(message(point_of({4.0, 3.0, 0.1, 0.0})),
             ContainsSubstring("x is 4; must be in [-1, 3]"));
  CHECK_THAT(message(point_of({0.0, 2.5, 0.1, 0.0})),
             ContainsSubstring("n is 2.5; must be a whole number in [2, 6]"));
  CHECK_THAT(message(point_of({0.0, 3.0, 0.0, 0.0})),
             ContainsSubstring("rate is 0; must be in [1e-04, 1]"));
  CHECK_THAT(message(point_of({0.0, 3.0, 0.1, 3.0})),
             ContainsSubstring("kind is 3; must be the number of one of its categories"));
  CHECK_THAT(message(point_of({std::nan(""), 3.0, 0.1, 0.0})), ContainsSubstring("x is nan"));
  CHECK_THAT(message(point_of({0.0})), ContainsSubstring("1"));
}

TEST_CASE("Categories are known by their labels", "[core][box]") {
  const Box box = mixed();
  CHECK(box.text(3, 2.0) == "c");
  CHECK(box.text(0, 0.5) == "0.5");
  CHECK(box.category(3, "b") == 1.0);
  CHECK_THROWS_WITH(box.category(3, "d"), ContainsSubstring("found 'd'; its categories: a, b, c"));
}

TEST_CASE("Bad axes are refused with name and values", "[core][box]") {
  const auto refuses = [](std::vector<BoxAxis> axes, const std::string& message) {
    CHECK_THROWS_WITH(Box(std::move(axes)), ContainsSubstring(message));
  };
  refuses({}, "no axes");
  refuses({axis("", 0.0, 1.0)}, "axis 0 has no name");
  refuses({axis("x", 0.0, 1.0), axis("x", 0.0, 1.0)}, "axis 1 has the name x again");
  refuses({axis("x", 1.0, 0.0)}, "axis x has bounds [1, 0]");
  refuses({axis("x", 0.0, kInfinity)}, "axis x has bounds [0, inf]");
  refuses({axis("x", -1e308, 1e308)}, "their difference must be finite");
  refuses({logarithmic("rate", 0.0, 1.0)}, "axis rate has lower bound 0");
  refuses({logarithmic("rate", 1e-200, 1e150)}, "must have a finite ratio");
  refuses({whole("n", 0.0, 2e12)}, "at most 1e12");
  refuses({whole("n", 0.5, 3.0)}, "axis n has bounds [0.5, 3]");
  refuses({labels("kind", {"a"})}, "axis kind has one category, a");
  refuses({labels("kind", {"a", "b", "a"})}, "axis kind has the category a twice");
  refuses({labels("kind", {"a", "b\nc"})}, "axis kind has the category 'b\\x0ac'; a label is");
  refuses({labels("nan", {"a", "b"})}, "axis 0 has the name 'nan', which is a number");
  refuses({labels("kind", {"a", ""})}, "axis kind has a category without a name");
}

TEST_CASE("The largest whole numbers are decoded exactly", "[core][box]") {
  BoxAxis log_axis = whole("n", 1.0, 1e12);
  log_axis.scale = AxisScale::kLog;
  for (const BoxAxis& one : {whole("n", -1e12, 1e12), log_axis}) {
    const Box box({one});
    for (double value = 999999990000.0; value <= 1e12; value += 1.0) {
      const Point point = Point::Constant(1, value);
      REQUIRE(box.decode(box.encode(point).row(0)) == point);
    }
  }
}
