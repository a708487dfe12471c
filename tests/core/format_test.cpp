// SPDX-License-Identifier: MIT
#include <bit>
#include <catch.hpp>
#include <clocale>
#include <cmath>
#include <limits>
#include <locale>
#include <pomlux/core/format.hpp>
#include <pomlux/core/rng.hpp>

namespace {

using namespace pomlux;

struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// A global C++ locale with a decimal comma for the time of a test.
class CommaLocale {
 public:
  CommaLocale() : before_(std::locale::global({std::locale::classic(), new DecimalComma})) {}
  ~CommaLocale() { std::locale::global(before_); }

 private:
  std::locale before_;
};

TEST_CASE("A number is written in its shortest form", "[core][format]") {
  CHECK(format_number(0.25) == "0.25");
  CHECK(format_number(0.1 + 0.2) == "0.30000000000000004");
  CHECK(format_number(1e-5) == "1e-05");
  CHECK(format_number(1234567.0) == "1234567");
  CHECK(format_number(-0.0) == "0");
  CHECK(format_number(kInfinity) == "inf");
  CHECK(format_number(-kInfinity) == "-inf");
  CHECK(format_number(std::nan("")) == "nan");
  CHECK(format_number(-std::nan("")) == "nan");
  CHECK(format_number(std::numeric_limits<double>::denorm_min()) == "5e-324");
  CHECK(format_number(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(format_number(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
}

TEST_CASE("Any double reads back as itself", "[core][format]") {
  Rng rng = make_stream(1, "format_test");
  for (int i = 0; i < 10'000; ++i) {
    const double value = std::bit_cast<double>(rng());
    if (!std::isfinite(value)) continue;
    REQUIRE(parse_number(format_number(value)) == value);
  }
}

TEST_CASE("What is not exactly a number is refused", "[core][format]") {
  for (const char* text :
       {"",  " ",   "1 ",  " 1",  "0x10",  "1,5",   "12.5 kg", "1e", "e5", ".",    "-",
        "+", "+-1", "++1", "--1", "1.2.3", "1'000", "nan(1)",  "in", "1f", "1e5.0"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number(text));
    CHECK_FALSE(parse_integer(text));
  }
  CHECK_FALSE(parse_number(std::string_view("1\0", 2)));
  CHECK_FALSE(parse_integer("1.0"));
  CHECK_FALSE(parse_integer("9223372036854775808"));
}

TEST_CASE("The usual spellings of a number are read", "[core][format]") {
  CHECK(parse_number("+1.5") == 1.5);
  CHECK(parse_number("-.001") == -0.001);
  CHECK(parse_number("5.") == 5.0);
  CHECK(parse_number("1E-3") == 0.001);
  CHECK(parse_number("1e+3") == 1000.0);
  CHECK(parse_number("010") == 10.0);
  CHECK(parse_number("INF") == kInfinity);
  CHECK(parse_number("-Infinity") == -kInfinity);
  CHECK(std::isnan(parse_number("NaN").value()));
  CHECK(parse_integer("010") == 10);
  CHECK(parse_integer("+12") == 12);
  CHECK(parse_integer("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("A number outside the range of double becomes infinity or zero", "[core][format]") {
  const std::string zeros(400, '0');
  CHECK(parse_number("1e400") == kInfinity);
  CHECK(parse_number("-1e400") == -kInfinity);
  CHECK(parse_number("1e-400") == 0.0);
  CHECK(std::signbit(parse_number("-1e-400").value()));
  CHECK(parse_number("1" + zeros) == kInfinity);
  CHECK(parse_number("0." + zeros + "1") == 0.0);
  CHECK(parse_number("1" + zeros + "e-20") == kInfinity);
  CHECK(parse_number("0." + zeros + "1e20") == 0.0);
  CHECK(parse_number("1e99999999999999999999") == kInfinity);
  CHECK(parse_number("1e-99999999999999999999") == 0.0);
  CHECK(parse_number("1" + zeros + "e-400") == 1.0);
  CHECK(parse_number("4.9e-324") == std::numeric_limits<double>::denorm_min());
}

TEST_CASE("A global locale with a decimal comma changes nothing", "[core][format]") {
  const CommaLocale comma;
  CHECK(format_number(1234.5) == "1234.5");
  CHECK(format_number(1234567) == "1234567");
  CHECK(parse_number("1234.5") == 1234.5);
  CHECK_FALSE(parse_number("1234,5"));
}

}  // namespace
