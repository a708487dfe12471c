// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/sobol.hpp>
#include <set>

#include "catch.hpp"

namespace {

using namespace pomlux;

Vector vec(std::initializer_list<double> values) {
  Vector result(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

Point point(std::initializer_list<double> values) { return vec(values).transpose(); }

Domain grid(const Vector& lower, const Vector& upper, std::vector<Index> counts) {
  return Domain::grid(lower, upper, counts);
}

std::set<std::vector<double>> distinct_points(const Domain& domain) {
  std::set<std::vector<double>> result;
  for (Index i = 0; i < domain.size(); ++i) {
    const PointRef row = domain.point(i);
    result.emplace(row.data(), row.data() + row.size());
  }
  return result;
}

/// A file with this content, removed at the end of its scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content)
      : path_(std::filesystem::temp_directory_path() /
              ("pomlux domain test " + std::to_string(reinterpret_cast<std::uintptr_t>(this)))) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("A grid has exact ends and no point outside them", "[core][domain]") {
  const Domain axis = grid(vec({-1.3}), vec({2.9}), {15});
  REQUIRE(axis.size() == 15);
  CHECK(axis.points()(0, 0) == -1.3);
  CHECK(axis.points()(14, 0) == 2.9);  // -1.3 + 14 step is 2.9000000000000004
  // Ends whose last step overshoots, for many counts.
  for (Index count = 2; count < 400; ++count) {
    const Domain domain = grid(vec({0.1}), vec({0.7}), {count});
    CHECK(domain.lower()(0) == 0.1);
    CHECK(domain.upper()(0) == 0.7);
    CHECK(domain.points()(count - 1, 0) == 0.7);
    CHECK(static_cast<Index>(distinct_points(domain).size()) == count);
  }
}

TEST_CASE("A grid runs through its last axis first and remembers its counts", "[core][domain]") {
  const Domain domain = grid(vec({-2.5, -2.5}), vec({2.0, 2.0}), {25, 25});
  REQUIRE(domain.size() == 625);
  CHECK(domain.grid_counts() == std::vector<Index>{25, 25});
  CHECK(domain.point(1)(0) == -2.5);
  CHECK(domain.point(1)(1) == -2.3125);  // spacing 0.1875
  CHECK(domain.point(25)(0) == -2.3125);
  CHECK(domain.find(point({0.125, 0.5})) == 14 * 25 + 16);
  CHECK(distinct_points(domain).size() == 625);
  const std::vector<Index> rows = {3, 1};
  CHECK(domain.subset(rows).grid_counts().empty());
}

TEST_CASE("An axis of one point sits at its lower end", "[core][domain]") {
  const Domain domain = grid(vec({1.0, 0.0}), vec({1.0, 2.0}), {1, 3});
  REQUIRE(domain.size() == 3);
  CHECK(domain.points().col(0) == Vector::Ones(3));
  CHECK(domain.nearest(point({5.0, 1.2})) == 1);  // no 0/0 on the first axis
  CHECK(grid(vec({1.0}), vec({2.0}), {1}).points()(0, 0) == 1.0);
}

TEST_CASE("Impossible grids and boxes are refused with the value", "[core][domain]") {
  CHECK_THROWS_WITH(grid(vec({1.0}), vec({0.5}), {3}),
                    ContainsSubstring("lower[0] is 1, upper[0] is 0.5"));
  CHECK_THROWS_WITH(grid(vec({0.0}), vec({1.0}), {0}), ContainsSubstring("counts[0] is 0"));
  CHECK_THROWS_WITH(grid(vec({0.0, 0.0}), vec({1.0, 1.0}), {3}), ContainsSubstring("has size 1"));
  CHECK_THROWS_WITH(grid(vec({0.0, 0.0}), vec({1.0}), {3, 3}), ContainsSubstring("has size 2"));
  CHECK_THROWS_WITH(grid(vec({0.0}), vec({kInfinity}), {3}), ContainsSubstring("upper[0] is inf"));
  CHECK_THROWS_WITH(grid(vec({-1e308}), vec({1e308}), {3}), ContainsSubstring("difference"));
  CHECK_THROWS_AS(grid(vec({0.0, 0.0}), vec({1.0, 1.0}), {100000, 100000}), MemoryLimitExceeded);
  const Vector low = Vector::Zero(40), high = Vector::Ones(40);
  CHECK_THROWS_WITH(Domain::grid(low, high, std::vector<Index>(40, 10)),
                    ContainsSubstring("use fewer per axis"));
  Rng rng = make_stream(1, "test");
  CHECK_THROWS_WITH(Domain::random(vec({1.0}), vec({0.0}), 5, rng),
                    ContainsSubstring("lower must be"));
  CHECK_THROWS_WITH(Domain::random(vec({0.0}), vec({1.0}), 0, rng), ContainsSubstring("n is 0"));
  CHECK_THROWS_AS(Domain::random(vec({0.0}), vec({1.0}), Index{1} << 40, rng), MemoryLimitExceeded);
  CHECK_THROWS_WITH(Domain::ball(0, 1.0, 5, rng), ContainsSubstring("d is 0"));
  CHECK_THROWS_WITH(Domain::sphere(2, -1.0, 5, rng), ContainsSubstring("radius is -1"));
}

TEST_CASE("A domain refuses what is empty, not finite or of other sizes", "[core][domain]") {
  CHECK_THROWS_WITH(Domain(Points(0, 2)), ContainsSubstring("0 points"));
  CHECK_THROWS_WITH(Domain(Points(2, 0)), ContainsSubstring("dimension 0"));
  Points points = Points::Zero(2, 2);
  CHECK_THROWS_WITH(Domain(points, {"a"}), ContainsSubstring("names has size 1"));
  CHECK_THROWS_WITH(Domain(points, {"a", "a"}), ContainsSubstring("names[1] is 'a'"));
  CHECK_THROWS_WITH(Domain(points, {"a", ""}), ContainsSubstring("names[1] is empty"));
  CHECK_THROWS_WITH(Domain(points, {"a", "1"}), ContainsSubstring("names[1] is '1', which is a"));
  CHECK_THROWS_WITH(Domain(points, {"a", "b\nc"}),
                    ContainsSubstring("'b\\x0ac', which has a control"));
  CHECK_THROWS_WITH(Domain(points, {}, {"only one"}), ContainsSubstring("labels has size 1"));
  points(1, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(Domain(points), ContainsSubstring("coordinate 0 of point 1 is nan"));
  const Domain domain(Points::Zero(2, 2));
  CHECK(domain.names() == std::vector<std::string>{"x_0", "x_1"});
  CHECK_THROWS_WITH(domain.point(2), ContainsSubstring("candidate 2 is not in 0..1"));
  CHECK_THROWS_WITH(domain.point(-1), ContainsSubstring("candidate -1"));
}

TEST_CASE("find gives the first equal candidate, and -0 equals 0", "[core][domain]") {
  Points points(4, 2);
  points << 0.0, 1.0, 2.0, -0.0, 0.0, 1.0, 5e-324, 1.0;
  const Domain domain(points);
  CHECK(domain.find(point({-0.0, 1.0})) == 0);
  CHECK(domain.find(point({2.0, 0.0})) == 1);
  CHECK(domain.find(point({5e-324, 1.0})) == 3);
  CHECK(domain.find(point({0.0, 2.0})) == -1);
  CHECK(domain.find(point({std::nan(""), 1.0})) == -1);
  CHECK_THROWS_WITH(domain.find(point({0.0, 1.0, 2.0})),
                    ContainsSubstring("size 3") && ContainsSubstring("size 2"));
}

TEST_CASE("find gives every candidate of a large domain, many of them equal", "[core][domain]") {
  Rng rng = make_stream(2, "test");
  Points points(20000, 2);
  for (Index i = 0; i < points.rows(); ++i) {
    points(i, 0) = static_cast<double>(draw_index(rng, 100));
    points(i, 1) = static_cast<double>(draw_index(rng, 100)) / 128.0;
  }
  const Domain domain(points);
  bool is_equal = true, is_first = true;
  for (Index i = 0; i < points.rows(); ++i) {
    const Index found = domain.find(domain.point(i));
    is_equal = is_equal && found >= 0 && domain.point(found) == domain.point(i);
    is_first = is_first && found <= i;
  }
  CHECK(is_equal);
  CHECK(is_first);
  CHECK(domain.find(point({0.5, 0.5})) == -1);
}

TEST_CASE("nearest scales every axis and takes the first of equals", "[core][domain]") {
  const Domain domain = grid(vec({0.0, 0.0}), vec({1.0, 1000.0}), {2, 2});
  CHECK(domain.nearest(point({0.9, 400.0})) == 2);
  CHECK(domain.nearest(point({0.5, 500.0})) == 0);
  CHECK(domain.nearest(point({10.0, -1e4})) == 2);
  CHECK_THROWS_AS(domain.nearest(point({0.5})), InvalidArgument);
  CHECK_THROWS_WITH(domain.nearest(point({0.5, kInfinity})), ContainsSubstring("point[1] is inf"));
}

TEST_CASE("Samples of a box stay inside it bit for bit", "[core][domain]") {
  const Vector lower = vec({-1.3, 1e9, 0.1}), upper = vec({2.9, 1e9 + 1e-6, 0.1});
  Rng rng = make_stream(3, "test");
  const std::vector<Domain> domains = {Domain::random(lower, upper, 2000, rng),
                                       Domain::sobol(lower, upper, 2048, rng),
                                       Domain::latin_hypercube(lower, upper, 2000, rng)};
  for (const Domain& domain : domains) {
    CHECK((domain.lower().array() >= lower.transpose().array()).all());
    CHECK((domain.upper().array() <= upper.transpose().array()).all());
    CHECK(domain.upper()(0) - domain.lower()(0) > 4.1);
  }
}

TEST_CASE("A Latin hypercube has one point in each stratum of each axis", "[core][domain]") {
  Rng rng = make_stream(4, "test");
  const Domain domain = Domain::latin_hypercube(vec({0.0, -1.0}), vec({1.0, 1.0}), 50, rng);
  for (Index k = 0; k < 2; ++k) {
    std::set<int> strata;
    for (Index i = 0; i < 50; ++i) {
      const double unit = k == 0 ? domain.points()(i, 0) : (domain.points()(i, 1) + 1.0) / 2.0;
      strata.insert(static_cast<int>(std::floor(50.0 * unit)));
    }
    CHECK(strata.size() == 50);
  }
}

TEST_CASE("The first 2^m Sobol points are a digital net under the shift", "[core][sobol]") {
  // In two dimensions every elementary interval 2^-a x 2^-(m-a) holds exactly one of 2^m points; in
  // each single dimension every interval of length 2^-m does.
  constexpr int m = 6;
  Rng rng = make_stream(5, "test");
  const Points points = sobol_points(Index{1} << m, 40, rng);
  for (int a = 0; a <= m; ++a) {
    std::set<std::pair<int, int>> boxes;
    for (Index i = 0; i < points.rows(); ++i) {
      boxes.emplace(static_cast<int>(std::ldexp(points(i, 0), a)),
                    static_cast<int>(std::ldexp(points(i, 1), m - a)));
    }
    CHECK(static_cast<Index>(boxes.size()) == points.rows());
  }
  for (Index k = 0; k < points.cols(); ++k) {
    std::set<int> intervals;
    for (Index i = 0; i < points.rows(); ++i) {
      intervals.insert(static_cast<int>(std::ldexp(points(i, k), m)));
    }
    CHECK(static_cast<Index>(intervals.size()) == points.rows());
  }
}

TEST_CASE("Sobol points repeat with the seed and are refused beyond the tables", "[core][sobol]") {
  Rng first = make_stream(6, "test"), second = make_stream(6, "test"),
      third = make_stream(7, "test");
  const Points points = sobol_points(10, 3, first);
  CHECK(points == sobol_points(10, 3, second));
  CHECK(points != sobol_points(10, 3, third));
  CHECK(sobol_points(0, 3, first).rows() == 0);
  CHECK(sobol_points(2, 3667, first).cols() == 3667);
  CHECK_THROWS_WITH(sobol_points(2, 3668, first),
                    ContainsSubstring("3668") && ContainsSubstring("1..3667"));
  CHECK_THROWS_WITH(sobol_points(2, 0, first), ContainsSubstring("1..3667"));
  const Vector lower = Vector::Zero(4000), upper = Vector::Ones(4000);
  CHECK_THROWS_WITH(Domain::sobol(lower, upper, 2, first), ContainsSubstring("3667"));
  CHECK_THROWS_WITH(Domain::sobol(vec({0.0}), vec({1.0}), 0, first), ContainsSubstring("n is 0"));
}

TEST_CASE("Balls and spheres have the radii of their distribution", "[core][domain]") {
  Rng rng = make_stream(8, "test");
  const Domain ball = Domain::ball(3, 2.0, 4000, rng);
  const Vector radii = ball.points().rowwise().norm();
  CHECK(radii.maxCoeff() <= 2.0 * (1.0 + 1e-15));
  // The volume fraction within half the radius is 1/8; six standard deviations of 4000 draws.
  const auto inside = static_cast<double>((radii.array() < 1.0).count());
  CHECK(std::abs(inside / 4000.0 - 0.125) < 6.0 * std::sqrt(0.125 * 0.875 / 4000.0));
  const Domain sphere = Domain::sphere(3, 2.0, 4000, rng);
  CHECK((sphere.points().rowwise().norm().array() - 2.0).abs().maxCoeff() < 1e-14);
  // E x_k = 0 with variance radius² / 3.
  CHECK(sphere.points().colwise().mean().cwiseAbs().maxCoeff() <
        6.0 * 2.0 / std::sqrt(3.0 * 4000.0));
  CHECK(Domain::sphere(1, 1.0, 5, rng).points().cwiseAbs() == Points::Ones(5, 1));
}

TEST_CASE("A sample has distinct rows, at most all of them", "[core][domain]") {
  const Domain cube = grid(Vector::Zero(3), Vector::Ones(3), {10, 10, 10});
  Rng rng = make_stream(9, "test");
  CHECK(distinct_points(cube.sample(400, rng)).size() == 400);
  CHECK(distinct_points(cube.sample(1000, rng)) == distinct_points(cube));
  CHECK_THROWS_WITH(cube.sample(1001, rng),
                    ContainsSubstring("1001") && ContainsSubstring("1..1000"));
  CHECK_THROWS_WITH(cube.sample(0, rng), ContainsSubstring("n is 0"));
  Rng again = make_stream(9, "test");
  Rng same = make_stream(9, "test");
  CHECK(cube.sample(5, again).points() == cube.sample(5, same).points());
}

TEST_CASE("Sobol candidates are distinct, at most all of them", "[core][domain]") {
  const Domain domain = grid(vec({-1.0, 10.0}), vec({1.0, 90.0}), {8, 8});
  Rng first = make_stream(10, "test"), second = make_stream(10, "test"),
      third = make_stream(11, "test");
  const std::vector<Index> all = sobol_candidates(domain, 64, first);
  CHECK(std::set<Index>(all.begin(), all.end()).size() == 64);
  const std::vector<Index> ten = sobol_candidates(domain, 10, second);
  CHECK(std::equal(ten.begin(), ten.end(), all.begin()));
  CHECK(ten != sobol_candidates(domain, 10, third));
  CHECK_THROWS_WITH(sobol_candidates(domain, 65, first),
                    ContainsSubstring("65") && ContainsSubstring("0..64"));
  CHECK(sobol_candidates(domain, 0, first).empty());
}

TEST_CASE("Sobol candidates spread over a large domain", "[core][domain]") {
  Rng rng = make_stream(12, "test");
  const Domain domain = Domain::random(Vector::Zero(4), Vector::Ones(4), 100000, rng);
  const std::vector<Index> chosen = sobol_candidates(domain, 100, rng);
  CHECK(std::set<Index>(chosen.begin(), chosen.end()).size() == 100);
  const Domain subset = domain.subset(chosen);
  CHECK((subset.points().colwise().mean().array() - 0.5).abs().maxCoeff() < 0.05);
}

TEST_CASE("Subsets keep names and labels, and a copy keeps its identity", "[core][domain]") {
  Points points(3, 1);
  points << 1.0, 2.0, 3.0;
  const Domain domain(points, {"t"}, {"a", "b", "c"});
  const std::vector<Index> rows = {2, 0, 2};
  const Domain subset = domain.subset(rows);
  CHECK(subset.labels() == std::vector<std::string>{"c", "a", "c"});
  CHECK(subset.names() == std::vector<std::string>{"t"});
  CHECK(subset.point(2)(0) == 3.0);
  const Domain copy = domain;
  CHECK(copy.identity() == domain.identity());
  CHECK(subset.identity() != domain.identity());
  const std::vector<Index> outside = {3};
  CHECK_THROWS_AS(domain.subset(outside), InvalidArgument);
  CHECK_THROWS_AS(domain.subset({}), InvalidArgument);
}

TEST_CASE("A candidate file gives points, names and labels", "[core][domain]") {
  const TemporaryFile file(
      "\xEF\xBB\xBFtemperature, label ,pressure\r\n1,a,2\r\n1,b,2\r\n3,\"c,d\",4\r\n\r\n");
  const Domain domain = Domain::from_csv(file.path());
  CHECK(domain.names() == std::vector<std::string>{"temperature", "pressure"});
  CHECK(domain.labels() == std::vector<std::string>{"a", "b", "c,d"});
  REQUIRE(domain.size() == 3);  // equal rows stay two arms
  CHECK(domain.point(1) == point({1.0, 2.0}));
  CHECK(domain.find(point({1.0, 2.0})) == 0);
  const TemporaryFile plain("1;2\n3;4\n");
  CHECK(Domain::from_csv(plain.path()).names() == std::vector<std::string>{"x_0", "x_1"});
}

TEST_CASE("A candidate file with a fault is refused with its name and line", "[core][domain]") {
  const TemporaryFile empty("x,y\n");
  CHECK_THROWS_WITH(Domain::from_csv(empty.path()),
                    ContainsSubstring(empty.path().string()) && ContainsSubstring("no candidates"));
  const TemporaryFile bad("x,y\n1,2\n3,abc\n");
  CHECK_THROWS_WITH(Domain::from_csv(bad.path()),
                    ContainsSubstring(bad.path().string() + ":3: column y: found 'abc'"));
  const TemporaryFile labels("label\na\n");
  CHECK_THROWS_WITH(Domain::from_csv(labels.path()), ContainsSubstring("labels only"));
}
