// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <pomlux/experiments/spec.hpp>
#include <pomlux/experiments/yaml_tree.hpp>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;

YamlNode parse(const std::string& text) { return parse_yaml(text, "a.yaml"); }

TEST_CASE("A YAML tree keeps the text, the quotes and the line of every scalar",
          "[experiments][yaml]") {
  const YamlNode root = parse("# first\na: 010\nb:\n  - 'x'\n  - {c: ~}\n");
  REQUIRE(root.children.size() == 2);
  CHECK(root.children[0].text == "010");
  CHECK(root.children[0].line == 2);
  CHECK_FALSE(root.children[0].is_quoted);
  const YamlNode& list = root.children[1];
  REQUIRE(list.children.size() == 2);
  CHECK(list.children[0].is_quoted);
  CHECK(list.children[1].line == 5);
  CHECK(list.children[1].children[0].kind == YamlNode::Kind::kNull);
}

TEST_CASE("Aliases are copies, and cannot blow up or turn round", "[experiments][yaml]") {
  const YamlNode root = parse("a: &x [1, 2]\nb: *x\n");
  CHECK(root.children[1].children.size() == 2);
  CHECK_THROWS_AS(parse("a: &x [*x]\n"), ConfigError);
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string inner = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + inner;
    for (int k = 1; k < 10; ++k) bomb += ", " + inner;
    bomb += "]\n";
  }
  CHECK_THROWS_WITH(parse(bomb), Contains("aliases"));
}

TEST_CASE("Text that YAML readers misunderstand is refused with its line", "[experiments][yaml]") {
  const auto [text, message] = GENERATE(table<std::string, std::string>(
      {{"a: 1\n\tb: 2\n", "a.yaml:2: found a tab as indentation"},
       {"a: 1\nb:\u00a02\n", "a.yaml:2: found a no-break space (U+00A0)"},
       {"a: 1\nb: 2\u200b\n", "a.yaml:2: found an invisible or unusual blank (U+200B)"},
       {"a: \x07\n", "a.yaml:1: found a control character (U+0007)"},
       {"a: 1\nb: \xff\n", "a.yaml:2: found bytes that are not UTF-8"},
       {"a: 1\n---\nb: 2\n", "a.yaml:2: a second document starts here"},
       {"---\na: 1\n---\nb: 2\n", "a.yaml:3: a second document starts here"},
       {"a: 1\n...\nb: 2\n", "a.yaml:3: a second document starts here"},
       {", 2]}\n", "a.yaml:1: not valid YAML"},
       {"a: [1, 2]\n]\n", "a.yaml:2: not valid YAML"},
       {"a: 1\nb: !!int 2\n", "a.yaml:2: found the tag"},
       {"a: 1\n[b]: 2\n", "a.yaml:2: found a key that is not plain text"},
       {"a: [1\nb: 2\n", "not valid YAML"},
       {"a: 1\nb: \"x\nc: 2\n", "a.yaml:2: the quote \" that begins here has no end"},
       {"a: 'it''s\n", "a.yaml:1: the quote ' that begins here has no end"},
       {"\u00e4: \"x\\\"\n", "a.yaml:1: the quote \" that begins here has no end"},
       {"", "a.yaml:1: the file is empty"},
       {"# nothing\n---\n", "the file is empty"}}));
  CAPTURE(text);
  CHECK_THROWS_WITH(parse(text), Contains(message));
}

TEST_CASE("Quoted text ends at its quote", "[experiments][yaml]") {
  const YamlNode root = parse("\u00e4: 'it''s'\nb: \"x\\\"\n  y\"\n'c': |\n  \"z\n");
  CHECK(root.children[0].text == "it's");
  CHECK(root.children[1].text == "x\" y");
  CHECK(root.children[2].text == "\"z\n");
}

TEST_CASE("Unusual blanks may stand in comments and quotes", "[experiments][yaml]") {
  const YamlNode root = parse("a: 1  # a\u00a0remark\nb: \"x\u00a0y\"\n");
  CHECK(root.children[1].text == "x\u00a0y");
}

TEST_CASE("Overrides make maps on their way and reach into lists", "[experiments][yaml]") {
  YamlNode root = parse("a: 1\nc: [1, 2]\n");
  apply_override(root, "b.x.y", "[3, 4]", 0);
  apply_override(root, "c[1]", "7", 1);
  apply_override(root, "c.0", "", 2);
  const YamlNode& made = root.children[2].children[0].children[0];
  CHECK(made.key == "y");
  CHECK(made.children.size() == 2);
  CHECK(made.children[1].override_index == 0);
  CHECK(root.children[1].children[1].text == "7");
  CHECK(root.children[1].children[0].kind == YamlNode::Kind::kNull);
  CHECK_THROWS_WITH(apply_override(root, "c.2", "1", 0), Contains("not an index of a list of 2"));
  CHECK_THROWS_WITH(apply_override(root, "a.b", "1", 0), Contains("not a map"));
  CHECK_THROWS_AS(apply_override(root, "a..b", "1", 0), InvalidArgument);
  CHECK_THROWS_WITH(apply_override(root, "a", "[1", 0), Contains("--set a=[1"));
  for (const char* path : {"c]", "c[0", "c[[0]]", "c[0]x", "[c]0]", "c.[0]"}) {
    CAPTURE(path);
    CHECK_THROWS_WITH(apply_override(root, path, "1", 0), Contains("cannot be read"));
  }
  CHECK_THROWS_WITH(apply_override(root, "a", "x #1", 0), Contains("quotes"));
  apply_override(root, "a", "'x #1'", 0);
  CHECK(root.children[0].text == "x #1");
  apply_override(root, "d[0]", "1", 3);
  CHECK(root.children.back().override_index == 3);
}

TEST_CASE("A key without a value is on its own line", "[experiments][yaml]") {
  const YamlNode root = parse("a: 1\nb:\n\n# remark\nc: 2\n");
  CHECK(root.children[1].line == 2);
}

TEST_CASE("Near names forgive case, separators and a few letters", "[experiments][spec]") {
  const std::vector<std::string> known{"length_scale", "matern52", "minimize", "steps", "ei"};
  CHECK(near_name("lenghtscale", known) == "length_scale");
  CHECK(near_name("Matern-5/2", known) == "matern52");
  CHECK(near_name("minimise", known) == "minimize");
  CHECK(near_name("min", known) == "minimize");
  CHECK(near_name("step", known) == "steps");
  CHECK(near_name("ucb", known).empty());
  CHECK(near_name("", known).empty());
}

}  // namespace
