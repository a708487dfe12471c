// SPDX-License-Identifier: MIT
#include <yaml-cpp/eventhandler.h>  // document starts; this is the only file with yaml-cpp
#include <yaml-cpp/yaml.h>          // parser

#include <algorithm>  // std::stable_sort
#include <optional>   // list indices
#include <pomlux/core/format.hpp>
#include <pomlux/core/utf8.hpp>
#include <pomlux/experiments/yaml_tree.hpp>
#include <sstream>  // text for the parser
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr int kLargestDepth = 64;
constexpr std::size_t kMostNodes = 1'000'000;

std::string joined(std::vector<Fault>& faults) {
  std::stable_sort(faults.begin(), faults.end(), [](const Fault& a, const Fault& b) {
    return a.order < b.order;
  });
  std::string text;
  for (const Fault& fault : faults) text += (text.empty() ? "" : "\n") + fault.text();
  return text;
}

Fault fault_at(const std::string& source, int line, std::string message) {
  return {source + ":" + std::to_string(line), line, "", std::move(message)};
}

/// The part of a line before its comment, without what stands in quotes: where blanks must be
/// ordinary. Quotes that span lines are not followed; the parser sees those.
std::string outside_quotes_and_comments(std::string_view line) {
  std::string result;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = '\0';
      continue;
    }
    const bool starts_token =
        i == 0 || std::string_view(" \t[{,:").find(line[i - 1]) != std::string_view::npos;
    if ((c == '"' || c == '\'') && starts_token) {
      quote = c;
    } else if (c == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
      break;
    } else {
      result += c;
    }
  }
  return result;
}

/// What the parser would misread or let pass.
void check_line(std::string_view line,
                int number,
                const std::string& source,
                std::vector<Fault>& faults) {
  if (!is_utf8(line)) {
    faults.push_back(
        fault_at(source, number, "found bytes that are not UTF-8; save the file as UTF-8"));
    return;
  }
  const std::string code = outside_quotes_and_comments(line);
  const std::size_t content = code.find_first_not_of(" \t");
  if (content == std::string::npos) return;
  if (code.substr(0, content).find('\t') != std::string::npos) {
    faults.push_back(fault_at(source, number, "found a tab as indentation; allowed: blanks"));
  }
  if (const std::string name = unusual_blank(code); !name.empty()) {
    faults.push_back(fault_at(source, number, "found " + name + "; allowed: ordinary blanks"));
  }
}

std::vector<Fault> check_lines(std::string_view text, const std::string& source) {
  std::vector<Fault> faults;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    check_line(text.substr(0, end), ++number, source, faults);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return faults;
}

/// Does the quoted text that begins at `begin` end before the document does? yaml-cpp lets it end
/// there.
bool is_closed(std::string_view document, std::size_t begin) {
  const char quote = document[begin];
  for (std::size_t i = begin + 1; i < document.size(); ++i) {
    if (quote == '"' && document[i] == '\\') {
      ++i;
    } else if (document[i] == quote) {
      const bool is_doubled = quote == '\'' && i + 1 < document.size() && document[i + 1] == quote;
      if (!is_doubled) return true;
      ++i;
    }
  }
  return false;
}

/// Copies yaml-cpp's graph of a document into a tree.
class Converter {
 public:
  Converter(std::string source, std::string_view document)
      : source_(std::move(source)), document_(document) {}

  YamlNode convert(const YAML::Node& node, int depth) {
    YamlNode result;
    result.line = node.Mark().line + 1;
    if (++count_ > kMostNodes || depth > kLargestDepth) {
      throw ConfigError(
          {fault_at(source_, result.line, "nested too deeply, or blown up by aliases")});
    }
    const std::string tag = node.Tag();
    const bool is_plain_tag = tag.empty() || tag == "?" || tag == "!";
    if (!is_plain_tag)
      refuse(result.line, "found the tag " + in_quotes(tag) + "; tags are not supported");
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        result.kind = YamlNode::Kind::kScalar;
        result.text = node.Scalar();
        result.is_quoted = tag == "!";
        if (result.is_quoted) check_quotes(node);
        break;
      case YAML::NodeType::Sequence:
        result.kind = YamlNode::Kind::kList;
        for (const auto& item : node) result.children.push_back(convert(item, depth + 1));
        break;
      case YAML::NodeType::Map:
        result.kind = YamlNode::Kind::kMap;
        for (const auto& entry : node) add_entry(result, entry.first, entry.second, depth);
        break;
      default:
        break;
    }
    return result;
  }

  std::vector<Fault> faults;

 private:
  void refuse(int line, std::string message) {
    faults.push_back(fault_at(source_, line, std::move(message)));
  }

  void check_quotes(const YAML::Node& node) {
    const YAML::Mark mark = node.Mark();
    const auto begin = static_cast<std::size_t>(mark.pos);
    if (begin >= document_.size()) return;
    const char quote = document_[begin];
    if ((quote != '"' && quote != '\'') || is_closed(document_, begin)) return;
    refuse(mark.line + 1, std::string("the quote ") + quote + " that begins here has no end");
  }

  void add_entry(YamlNode& map, const YAML::Node& key, const YAML::Node& value, int depth) {
    const int line = key.Mark().line + 1;
    if (!key.IsScalar()) {
      refuse(line, "found a key that is not plain text; allowed: the name of an option");
      return;
    }
    if (key.Tag() == "!") check_quotes(key);
    map.children.push_back(convert(value, depth + 1));
    YamlNode& child = map.children.back();
    child.key = key.Scalar();
    child.key_line = line;
    if (child.kind == YamlNode::Kind::kNull) child.line = line;  // yaml-cpp marks what follows
  }

  std::string source_;
  std::string_view document_;
  std::size_t count_ = 0;
};

/// Notes where documents start and ignores what is in them.
class DocumentStarts : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override { lines.push_back(mark.line + 1); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&,
                const std::string&,
                YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&,
                       const std::string&,
                       YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&,
                  const std::string&,
                  YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

  std::vector<int> lines;
};

/// Refuses a second document, before anything is built: where a closing bracket follows a complete
/// document, yaml-cpp goes on to start empty documents at the bracket until memory ends.
std::optional<Fault> second_document(const std::string& document, const std::string& source) {
  constexpr std::size_t kAllowed = 1;
  std::istringstream stream(document);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  while (starts.lines.size() <= kAllowed && parser.HandleNextDocument(starts)) {
  }
  if (starts.lines.size() <= kAllowed) return std::nullopt;
  const int line = starts.lines.back();
  const bool is_marked = ("\n" + document).find("\n---") != std::string::npos ||
                         document.find("\n...") != std::string::npos;
  return fault_at(source,
                  line,
                  is_marked ? "a second document starts here; allowed: one"
                            : "not valid YAML: what stands here belongs to nothing before it");
}

/// "a.b[0]" as a, b, 0. An index stands in brackets or behind a dot.
std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts(1);
  bool is_index = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    const bool ends_part = i + 1 == path.size() || path[i + 1] == '.' || path[i + 1] == '[';
    if ((c == '[') == is_index && (c == '[' || c == ']')) return {""};
    if (c == ']' && !ends_part) return {""};
    if (c == '.' || c == '[') {
      parts.emplace_back();
    } else if (c != ']') {
      parts.back() += c;
    }
    if (c == '[' || c == ']') is_index = c == '[';
  }
  if (is_index) return {""};
  return parts;
}

YamlNode& child_of(YamlNode& node, const std::string& part, const std::string& path, int index) {
  using Kind = YamlNode::Kind;
  if (node.kind == Kind::kList) {
    const std::optional<std::int64_t> position = parse_integer(part);
    const auto size = static_cast<std::int64_t>(node.children.size());
    if (!position || *position < 0 || *position >= size) {
      fail("--set " + path, "'" + part + "' is not an index of a list of " + std::to_string(size));
    }
    return node.children[static_cast<std::size_t>(*position)];
  }
  if (node.kind == Kind::kScalar) {
    fail("--set " + path, "'" + part + "' is below " + node.found() + ", which is not a map");
  }
  node.kind = Kind::kMap;
  for (YamlNode& child : node.children) {
    if (child.key == part) return child;
  }
  node.children.emplace_back();
  node.children.back().key = part;
  node.children.back().override_index = index;
  return node.children.back();
}

void mark(YamlNode& node, int index) {
  node.override_index = index;
  for (YamlNode& child : node.children) mark(child, index);
}

}  // namespace

std::string Fault::text() const {
  return where + ": " + (path.empty() ? "" : path + ": ") + message;
}

ConfigError::ConfigError(std::vector<Fault> faults)
    : InvalidArgument(joined(faults)), faults_(std::move(faults)) {}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  return "'" + printable(text, kLongest) + "'";
}

std::string YamlNode::found() const {
  switch (kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kList:
      return "a list";
    case Kind::kMap:
      return "a map";
    case Kind::kScalar:
      break;
  }
  return in_quotes(text);
}

YamlNode parse_yaml(std::string_view text, const std::string& source) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string document;
  document.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_crlf = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!is_crlf) document += text[i];
  }
  std::vector<Fault> faults = check_lines(document, source);
  YAML::Node root_node;
  try {
    if (std::optional<Fault> fault = second_document(document, source)) {
      faults.push_back(std::move(*fault));
    } else {
      root_node = YAML::Load(document);
    }
  } catch (const YAML::Exception& error) {
    faults.push_back(fault_at(source, error.mark.line + 1, "not valid YAML: " + error.msg));
  }
  if (!faults.empty()) throw ConfigError(std::move(faults));
  if (root_node.IsNull()) {
    throw ConfigError({fault_at(source, 1, "the file is empty; there is nothing to run")});
  }
  Converter converter(source, document);
  YamlNode root = converter.convert(root_node, 0);
  if (!converter.faults.empty()) throw ConfigError(std::move(converter.faults));
  return root;
}

void apply_override(YamlNode& root, const std::string& path, const std::string& value, int index) {
  YamlNode replacement;
  const bool is_null =
      value == "null" || value == "~" || value.find_first_not_of(" \t") == std::string::npos;
  if (!is_null) {
    try {
      replacement = parse_yaml(value, "--set " + path);
    } catch (const ConfigError& error) {
      fail("--set " + path + "=" + value, error.faults().front().message);
    }
    const bool has_comment = value.find(" #") != std::string::npos;
    if (has_comment && replacement.kind == YamlNode::Kind::kScalar && !replacement.is_quoted) {
      fail("--set " + path + "=" + value,
           "is read as " + replacement.found() + " and a comment; allowed: text with # in quotes");
    }
  }
  YamlNode* node = &root;
  for (const std::string& part : split_path(path)) {
    if (part.empty()) {
      fail("--set " + path + "=" + value,
           "the key cannot be read; allowed: name.name[index]...=value");
    }
    node = &child_of(*node, part, path, index);
  }
  replacement.key = node->key;
  mark(replacement, index);
  *node = std::move(replacement);
}

}  // namespace pomlux
