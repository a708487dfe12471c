// SPDX-License-Identifier: MIT
#include <filesystem>
#include <locale>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <sstream>

#include "catch.hpp"

namespace {

using namespace pomlux;

CsvTable read(const std::string& text) {
  std::istringstream stream(text);
  return read_csv(stream, "a.csv");
}

/// What the exception of reading the text, or of reading all its numbers, says.
std::string fault_of(const std::string& text) {
  try {
    const CsvTable table = read(text);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      for (std::size_t column = 0; column < table.width; ++column) {
        static_cast<void>(table.number(row, column));
      }
    }
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "no fault";
}

}  // namespace

TEST_CASE("A header, CRLF and a trailing blank line leave five rows", "[core][csv]") {
  const std::string rows = "1,2,3\r\n4,5,6\r\n7,8,9\r\n1,2,3\r\n-1e-3,+.5,12\r\n\r\n";
  const CsvTable with = read("a,b,c\r\n" + rows);
  CHECK(with.columns == std::vector<std::string>{"a", "b", "c"});
  REQUIRE(with.rows.size() == 5);
  CHECK(with.number(4, 0) == -1e-3);
  CHECK(with.number(4, 1) == 0.5);
  CHECK(with.lines == std::vector<std::size_t>{2, 3, 4, 5, 6});
  const CsvTable without = read(rows);
  CHECK(without.columns.empty());
  CHECK(without.rows == with.rows);
  CHECK(without.width == 3);
}

TEST_CASE("A byte-order mark, comments and blanks around cells do not reach the cells",
          "[core][csv]") {
  const CsvTable table = read("\xEF\xBB\xBF# made by hand\n a , b\t\n# 9,9\n 1 ,\t2 \n   \n3,4");
  CHECK(table.columns == std::vector<std::string>{"a", "b"});
  CHECK(table.rows == std::vector<std::vector<std::string>>{{"1", "2"}, {"3", "4"}});
  CHECK(table.lines == std::vector<std::size_t>{4, 6});
  CHECK(table.column("b") == std::optional<std::size_t>(1));
  CHECK_FALSE(table.column("c").has_value());
}

TEST_CASE("The separator is the semicolon or tab of the first row, else the comma", "[core][csv]") {
  CHECK(read("a;b,c\n1;2").columns == std::vector<std::string>{"a", "b,c"});
  CHECK(read("a\tb\n1\t2").rows.at(0) == std::vector<std::string>{"1", "2"});
  CHECK(read("\"a;b\",c\n1,2").columns == std::vector<std::string>{"a;b", "c"});
  CHECK(read("x\n1\n2").width == 1);
}

TEST_CASE("Quoted cells hold separators, quotes and outer blanks", "[core][csv]") {
  const CsvTable table = read("label,x\n\"a, \"\"b\"\" \" , 1\n");
  CHECK(table.rows.at(0) == std::vector<std::string>{"a, \"b\" ", "1"});
  CHECK_THAT(fault_of("label,x\n\"a,1\n"), ContainsSubstring("a.csv:2: open quote"));
  CHECK_THAT(fault_of("label,x\n\"a\" b,1\n"),
             ContainsSubstring("a.csv:2: text after a closing quote"));
}

TEST_CASE("A bad row is refused with its line, a bad cell also with its column", "[core][csv]") {
  CHECK_THAT(fault_of("a,b,c\n1,2,3\n1,2\n"), ContainsSubstring("a.csv:3: column 3 is missing"));
  CHECK_THAT(fault_of("a,b\n1,2,3\n"), ContainsSubstring("a.csv:2: column 3 is too much"));
  CHECK_THAT(fault_of("a,b\n1,abc\n"), ContainsSubstring("a.csv:2: column b: found 'abc'"));
  CHECK_THAT(fault_of("a;b\n1;1,5\n"), ContainsSubstring("a.csv:2: column b: found '1,5'"));
  CHECK_THAT(fault_of("1,5;2\n"), ContainsSubstring("a.csv:1: column 1: found '1,5'"));
  CHECK_THAT(fault_of("a,b\n1,nan\n"), ContainsSubstring("a.csv:2: column b: found 'nan'"));
  CHECK_THAT(fault_of("a,b\n1,inf\n"), ContainsSubstring("found 'inf'"));
  CHECK_THAT(fault_of("a,b\n1,1e999\n"), ContainsSubstring("found '1e999'"));
  CHECK_THAT(fault_of("a,b\n1,\n"), ContainsSubstring("a.csv:2: column b: found ''"));
}

TEST_CASE("A bad cell in the first row does not turn it into a header", "[core][csv]") {
  CHECK_THAT(fault_of("0.1,abc\n0.2,0.3\n"), ContainsSubstring("a.csv:1: column 2: found 'abc'"));
  CHECK_THAT(fault_of("0.1,\n0.2,0.3\n"), ContainsSubstring("a.csv:1: column 2: found ''"));
  CHECK_THAT(fault_of("nan,0.5\n"), ContainsSubstring("a.csv:1: column 1: found 'nan'"));
}

TEST_CASE("A header name is there once, and visible", "[core][csv]") {
  CHECK_THAT(fault_of("x,y,x\n1,2,3\n"),
             ContainsSubstring("a.csv:1: column name 'x' is given twice"));
  CHECK_THAT(fault_of(",x\n1,2\n"), ContainsSubstring("a.csv:1: column 1 has no name"));
  CHECK_THAT(fault_of("\xEF\xBB\xBF\xEF\xBB\xBFx,y\n1,2\n"), ContainsSubstring("(U+FEFF)"));
  CHECK_THAT(fault_of("x,y\xC2\xA0\n1,2\n"), ContainsSubstring("column 2"));
  CHECK_THAT(fault_of("l\xFF,b\n1,2\n"),
             ContainsSubstring("a.csv:1: the name of column 1 is not UTF-8"));
  CHECK(read("größe,x\n1,2\n").columns.at(0) == "größe");
}

TEST_CASE("Text that is not UTF-8 with LF or CRLF is refused", "[core][csv]") {
  CHECK_THAT(fault_of("a,b\r1,2\r3,4\r"), ContainsSubstring("lone carriage return"));
  CHECK_THAT(fault_of(std::string("\xFF\xFE"
                                  "a\0,\0b\0\n\0",
                                  10)),
             ContainsSubstring("NUL"));
}

TEST_CASE("Numbers are read the same under a locale with a decimal comma", "[core][csv]") {
  struct Comma final : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const CsvTable table = read("x,y\n0.25,2112\n");
  const double x = table.number(0, 0), y = table.number(0, 1);
  const std::string fault = fault_of("x,y\n1,2\n1234,x\n");
  std::locale::global(before);
  CHECK(x == 0.25);
  CHECK(y == 2112.0);
  CHECK_THAT(fault, ContainsSubstring("a.csv:3: column y"));
}

TEST_CASE("A file that cannot be read is named", "[core][csv]") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  CHECK_THROWS_WITH(read_csv_file(folder), ContainsSubstring("is a directory"));
  CHECK_THROWS_WITH(read_csv_file(folder / "no such file.csv"),
                    ContainsSubstring("no such file.csv"));
}

TEST_CASE("A written cell is read back", "[core][csv]") {
  for (const std::string text : {"plain", "a,b", "a;b", "say \"x\"", " outer ", "#1", ""}) {
    CAPTURE(text);
    CHECK(read("x,y\n" + csv_cell(text) + ",1\n").rows.at(0).at(0) == text);
  }
  CHECK(csv_cell("two\nlines") == "\"two lines\"");
  CHECK(csv_cell("plain") == "plain");
}
