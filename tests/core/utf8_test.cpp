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
  CHECK(printable("\ufeff1\u00a0\u202e\u00ad", 60) ==
        "\\xef\\xbb\\xbf1\\xc2\\xa0\\xe2\\x80\\xae\\xc2\\xad");
  CHECK(printable("\u2764\ufe0f \u4e00", 60) == "\u2764\ufe0f \u4e00");
}

}  // namespace
