// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/errors.hpp>
#include <string>       // scalars
#include <string_view>  // documents
#include <vector>       // children, faults

namespace pomlux {

/// What is wrong with one place of a configuration.
struct Fault {
  std::string where;    ///< "configs/a.yaml:9" or "--set budget.steps=abc"
  int order = 0;        ///< line; --set texts after all lines
  std::string path;     ///< "model.kernel.type"; empty where no key is meant
  std::string message;  ///< "found 'x'; allowed: ..."

  /// "where: path: message"
  [[nodiscard]] std::string text() const;
};

/// All faults of a configuration; what() has one line per fault, by line number.
class ConfigError : public InvalidArgument {
 public:
  explicit ConfigError(std::vector<Fault> faults);
  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }

 private:
  std::vector<Fault> faults_;
};

/// A YAML document with aliases replaced by copies, scalars as they were written and the line of
/// everything. Maps keep all their keys, repeated ones too.
struct YamlNode {
  enum class Kind { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  std::string text;        ///< of a scalar
  bool is_quoted = false;  ///< quoted scalars are text, whatever they look like
  std::string key;         ///< of a child of a map
  int key_line = 0;
  int line = 0;             ///< from 1
  int override_index = -1;  ///< index of the --set text it came from
  std::vector<YamlNode> children;

  /// "'text'", "nothing", "a list", "a map": for messages.
  [[nodiscard]] std::string found() const;
};

/// Quotes for messages: control characters escaped, long texts cut.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Parses exactly one document. A byte-order mark and CRLF line ends are accepted. Refused with the
/// line: syntax errors, tabs as indentation, no-break spaces and control characters outside
/// comments and quotes, bytes that are not UTF-8, an empty document, several documents, explicit
/// tags, keys that are not plain text, and documents that aliases blow up beyond a million nodes.
/// @param source is the file name for messages. @throws ConfigError with all that was found.
[[nodiscard]] YamlNode parse_yaml(std::string_view text, const std::string& source);

/// Sets `path` ("model.kernel.length_scale", "seeds[0]", "seeds.0") to the YAML text `value`; maps
/// on the way are made. `index` marks the new nodes. @throws InvalidArgument if the path or the
/// value cannot be read.
void apply_override(YamlNode& root, const std::string& path, const std::string& value, int index);

}  // namespace pomlux
