// SPDX-License-Identifier: MIT
#pragma once

#include <string>  // documents
#include <vector>  // open elements

namespace pomlux::test {

/// What is wrong with the markup, or nothing: elements must nest and close (void HTML elements
/// apart), attributes be quoted and given once, '&' begin a known entity, '<' begin a tag. The text
/// of <style> counts as text.
inline std::string markup_fault(const std::string& text) {
  const std::vector<std::string> void_elements = {"meta"};
  const std::vector<std::string> entities = {"amp;", "lt;", "gt;", "quot;", "#39;"};
  const auto near = [&](std::size_t i) { return " near '" + text.substr(i, 60) + "'"; };
  std::vector<std::string> open;
  std::size_t i = text.starts_with("<!DOCTYPE html>") ? 15 : 0;
  while (i < text.size()) {
    const char c = text[i];
    if (c == '>') return "stray '>'" + near(i);
    if (c == '&') {
      bool is_known = false;
      for (const std::string& entity : entities)
        is_known = is_known || text.compare(i + 1, entity.size(), entity) == 0;
      if (!is_known) return "bad entity" + near(i);
    }
    if (c != '<') {
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
        return "control character" + near(i);
      ++i;
      continue;
    }
    const std::size_t begin = i++;
    const bool is_end = i < text.size() && text[i] == '/';
    if (is_end) ++i;
    const std::size_t name_end = text.find_first_of(" \n/>", i);
    if (name_end == std::string::npos || name_end == i) return "bad tag" + near(begin);
    const std::string name = text.substr(i, name_end - i);
    i = name_end;
    std::vector<std::string> attributes;
    while (i < text.size() && text[i] != '>' && text.compare(i, 2, "/>") != 0) {
      if (text[i] == ' ' || text[i] == '\n') {
        ++i;
        continue;
      }
      const std::size_t equals = text.find("=\"", i);
      if (equals == std::string::npos) return "bad attribute" + near(begin);
      const std::string attribute = text.substr(i, equals - i);
      if (attribute.find_first_of(" <>\"'/") != std::string::npos)
        return "bad attribute" + near(begin);
      for (const std::string& known : attributes)
        if (known == attribute) return "attribute given twice" + near(begin);
      attributes.push_back(attribute);
      const std::size_t close = text.find('"', equals + 2);
      if (close == std::string::npos) return "open attribute" + near(begin);
      if (text.substr(equals + 2, close - equals - 2).find('<') != std::string::npos)
        return "'<' in an attribute" + near(begin);
      i = close + 1;
    }
    if (i >= text.size()) return "open tag" + near(begin);
    const bool is_empty = text[i] == '/';
    i += is_empty ? 2 : 1;
    bool is_void = is_empty;
    for (const std::string& known : void_elements) is_void = is_void || known == name;
    if (is_end) {
      if (open.empty() || open.back() != name)
        return "</" + name + "> does not close" + near(begin);
      open.pop_back();
    } else if (!is_void) {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

}  // namespace pomlux::test
