// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <pomlux/core/utf8.hpp>

namespace {

using namespace pomlux;

TEST_CASE("UTF-8 is checked to the letter of RFC 3629", "[core][utf8]") {
  CHECK(is_utf8("a\u00fc\u20ac\U0001f4a1"));
  for (const char* text :
       {"\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    CHECK_FALSE(is_utf8(text));
  }
  CHECK(printable("a\nb\xff", 60) == "a\\x0ab\\xff");
  CHECK(printable("\u20ac\u20ac\u20ac", 4) == "\u20ac\u20ac...");
}

}  // namespace
