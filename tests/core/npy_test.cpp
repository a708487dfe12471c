// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/npy.hpp>
#include <sstream>
#include <string>

namespace {

using namespace pomlux;

std::string npy(const std::string& header, const std::string& data, char version = 1) {
  std::string bytes = std::string("\x93NUMPY") + version + '\0';
  bytes += static_cast<char>(header.size() % 256);
  bytes += static_cast<char>(header.size() / 256);
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + header + data;
}

template <typename T>
std::string bytes_of(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

NpyArray read_array(const std::string& bytes) {
  std::istringstream stream(bytes);
  return read_npy(stream, "a.npy");
}

TEST_CASE("A two-dimensional array of doubles is read in both orders", "[core][npy]") {
  const std::string data = bytes_of({1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
  const NpyArray c =
      read_array(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }  \n", data));
  REQUIRE(c.values.rows() == 3);
  REQUIRE(c.values.cols() == 2);
  CHECK(c.values(0, 1) == 2.0);
  CHECK(c.values(2, 0) == 5.0);
  const NpyArray f =
      read_array(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }\n", data, 2));
  CHECK(f.values(0, 1) == 4.0);
  CHECK(f.values(2, 0) == 3.0);
}

TEST_CASE("Other element types and a structured array are read as doubles", "[core][npy]") {
  const NpyArray floats = read_array(
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", bytes_of({0.5F, -2.0F})));
  CHECK(floats.dimensions == 1);
  CHECK(floats.values(1, 0) == -2.0);
  const NpyArray big = read_array(
      npy("{'descr': '>i2', 'fortran_order': False, 'shape': (1,)}", std::string("\x01\x02", 2)));
  CHECK(big.values(0, 0) == 258.0);
  const NpyArray fields = read_array(npy(
      "{'descr': [('mean', '<f8'), ('stddev', '<f4')], 'fortran_order': False, 'shape': (1,), }",
      bytes_of({1.5}) + bytes_of({0.25F})));
  REQUIRE(fields.fields == std::vector<std::string>{"mean", "stddev"});
  CHECK(fields.values(0, 0) == 1.5);
  CHECK(fields.values(0, 1) == 0.25);
}

TEST_CASE("Anything else is refused with the source's name", "[core][npy]") {
  const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
  const auto bad = GENERATE_COPY(
      std::string(),
      std::string("hello"),
      npy(good, bytes_of({1.0})),
      npy(good, bytes_of({1.0, 2.0, 3.0})),
      npy(good, "", 9),
      npy("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", ""),
      npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2, 2), }", ""),
      npy("{'descr': '<f8'}", ""),
      npy("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }", ""),
      npy("{", ""),
      npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4000000000, 4000000000), }", ""));
  CAPTURE(bad);
  CHECK_THROWS_WITH(read_array(bad), Catch::Matchers::Contains("a.npy"));
}

/// A stream that cannot tell where it is, like a pipe.
class Pipe : public std::stringbuf {
 public:
  explicit Pipe(const std::string& bytes) : std::stringbuf(bytes, std::ios::in) {}

 protected:
  pos_type seekoff(off_type, std::ios::seekdir, std::ios::openmode) override {
    return {off_type(-1)};
  }
  pos_type seekpos(pos_type, std::ios::openmode) override { return {off_type(-1)}; }
};

TEST_CASE("An array is read from a pipe as from a file", "[core][npy]") {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
  Pipe whole(npy(header, bytes_of({1.0, 2.0, 3.0}))), part(npy(header, bytes_of({1.0, 2.0})));
  std::istream input(&whole), short_input(&part);
  CHECK(read_npy(input, "a.npy").values.sum() == 6.0);
  CHECK_THROWS_WITH(read_npy(short_input, "a.npy"), Catch::Matchers::Contains("ends early"));
}

TEST_CASE("A file that announces more than it holds is refused before memory is taken",
          "[core][npy]") {
  // More than any machine gives, so taking it would end in std::bad_alloc.
  const std::string shape = GENERATE("(10000000, 100000000)", "(1, 1000000000000000)");
  CAPTURE(shape);
  const std::string bytes =
      npy("{'descr': '<u1', 'fortran_order': False, 'shape': " + shape + ", }", "abc");
  std::istringstream stream(bytes);
  CHECK_THROWS_WITH(read_npy(stream, "a.npy", 1e300), Catch::Matchers::Contains("ends early"));
}

}  // namespace
