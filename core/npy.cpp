// SPDX-License-Identifier: MIT
#include <algorithm>  // std::reverse
#include <array>      // magic bytes
#include <bit>        // byte order
#include <cstdint>    // integer types
#include <cstring>    // std::memcpy
#include <fstream>    // array files
#include <istream>    // input
#include <optional>   // sizes of streams
#include <pomlux/core/errors.hpp>
#include <pomlux/core/npy.hpp>
#include <string_view>  // header text

namespace pomlux {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLargestHeader = 1
                                       << 20;  // a header of a few columns takes some hundred bytes

struct ElementType {
  char kind = 'f';  // f: floating point, i: signed, u: unsigned
  std::size_t size = 8;
  bool is_big_endian = false;
};

struct Header {
  std::vector<ElementType> types;   // one per field; one in all for a plain array
  std::vector<std::string> fields;  // empty for a plain array
  bool is_fortran_order = false;
  std::vector<Index> shape;
};

/// Cursor over the header, a Python literal: {'descr': ..., 'fortran_order': False, 'shape': (3,
/// 2), }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  Header parse() {
    Header header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr") {
        parse_descr(header);
        has_descr = true;
      } else if (key == "fortran_order") {
        header.is_fortran_order = boolean();
        has_order = true;
      } else if (key == "shape") {
        header.shape = shape();
        has_shape = true;
      } else {
        refuse("unknown header key '" + key + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!has_descr || !has_order || !has_shape)
      refuse("the header lacks descr, fortran_order or shape");
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    fail(source_, "not a readable .npy file: " + what);
  }

  void skip_blanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n'))
      ++position_;
  }
  bool accept(char c) {
    skip_blanks();
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) refuse(std::string("'") + c + "' expected in the header");
  }
  std::string string() {
    skip_blanks();
    const char quote = position_ < text_.size() ? text_[position_] : '\0';
    if (quote != '\'' && quote != '"') refuse("a quoted name expected in the header");
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) refuse("open quote in the header");
    std::string result(text_.substr(position_ + 1, end - position_ - 1));
    position_ = end + 1;
    return result;
  }
  bool boolean() {
    skip_blanks();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(position_, word.size()) == word) {
        position_ += word.size();
        return value;
      }
    }
    refuse("True or False expected in the header");
  }
  std::vector<Index> shape() {
    std::vector<Index> result;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      std::size_t end = position_;
      while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
      const auto value = parse_integer(text_.substr(position_, end - position_));
      if (!value) refuse("a size expected in the header's shape");
      result.push_back(static_cast<Index>(*value));
      position_ = end;
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return result;
  }
  ElementType element_type(const std::string& code) const {
    ElementType type;
    const bool has_order =
        !code.empty() && (code[0] == '<' || code[0] == '>' || code[0] == '|' || code[0] == '=');
    const std::string_view rest = std::string_view(code).substr(has_order ? 1 : 0);
    const auto size = rest.size() > 1 ? parse_integer(rest.substr(1)) : std::nullopt;
    const char kind = rest.empty() ? '\0' : rest[0];
    const bool is_float = kind == 'f' && size && (*size == 4 || *size == 8);
    const bool is_integer = (kind == 'i' || kind == 'u') && size &&
                            (*size == 1 || *size == 2 || *size == 4 || *size == 8);
    if (!is_float && !is_integer) {
      refuse("element type '" + code + "'; allowed: f4, f8 and integers of 1, 2, 4, 8 bytes");
    }
    type.kind = kind;
    type.size = static_cast<std::size_t>(*size);
    type.is_big_endian = has_order && code[0] == '>';
    return type;
  }
  void parse_descr(Header& header) {
    if (!accept('[')) {
      header.types.push_back(element_type(string()));
      return;
    }
    while (!accept(']')) {
      expect('(');
      header.fields.push_back(string());
      expect(',');
      header.types.push_back(element_type(string()));
      expect(')');
      if (!accept(',')) {
        expect(']');
        break;
      }
    }
    if (header.fields.empty()) refuse("a structured array without fields");
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t position_ = 0;
};

template <typename T>
double load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

double to_double(const char* bytes, const ElementType& type) {
  std::array<char, 8> ordered{};
  std::copy(bytes, bytes + type.size, ordered.begin());
  if (type.is_big_endian != (std::endian::native == std::endian::big)) {
    std::reverse(ordered.begin(), ordered.begin() + static_cast<std::ptrdiff_t>(type.size));
  }
  const char* b = ordered.data();
  const std::size_t size = type.size;
  if (type.kind == 'f') return size == 4 ? load<float>(b) : load<double>(b);
  if (type.kind == 'i') {
    return size == 1   ? load<std::int8_t>(b)
           : size == 2 ? load<std::int16_t>(b)
           : size == 4 ? load<std::int32_t>(b)
                       : load<std::int64_t>(b);
  }
  return size == 1   ? load<std::uint8_t>(b)
         : size == 2 ? load<std::uint16_t>(b)
         : size == 4 ? load<std::uint32_t>(b)
                     : load<std::uint64_t>(b);
}

std::string read_header(std::istream& input, const std::string& source) {
  std::array<char, 8> start{};
  input.read(start.data(), start.size());
  if (!input || std::string_view(start.data(), kMagic.size()) != kMagic) {
    fail(source, "not a .npy file: the first bytes are not the format's");
  }
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3) {
    fail(source,
         "not a readable .npy file: format version " + std::to_string(version) +
             "; allowed: 1 to 3");
  }
  std::array<unsigned char, 4> bytes{};
  input.read(reinterpret_cast<char*>(bytes.data()), version == 1 ? 2 : 4);
  const std::size_t length = bytes[0] | std::size_t{bytes[1]} << 8 | std::size_t{bytes[2]} << 16 |
                             std::size_t{bytes[3]} << 24;
  if (!input || length > kLargestHeader)
    fail(source, "not a readable .npy file: header of impossible length");
  std::string header(length, '\0');
  input.read(header.data(), static_cast<std::streamsize>(length));
  if (!input) fail(source, "not a readable .npy file: it ends inside its header");
  return header;
}

/// Bytes from the stream's position to its end, where the stream can tell: pipes cannot.
std::optional<double> remaining_bytes(std::istream& input) {
  const std::istream::pos_type here = input.tellg();
  if (here == std::istream::pos_type(-1)) {
    input.clear();
    return std::nullopt;
  }
  input.seekg(0, std::ios::end);
  const std::istream::pos_type end = input.tellg();
  input.clear();
  input.seekg(here);
  if (end == std::istream::pos_type(-1)) return std::nullopt;
  return static_cast<double>(end - here);
}

}  // namespace

NpyArray read_npy(std::istream& input, const std::string& source, double memory_limit) {
  const std::string text = read_header(input, source);
  const Header header = HeaderParser(text, source).parse();
  const bool is_structured = !header.fields.empty();
  if (header.shape.empty() || header.shape.size() > (is_structured ? 1U : 2U)) {
    fail(source,
         "an array of " + std::to_string(header.shape.size()) +
             " dimensions; allowed: " + (is_structured ? "1 (structured)" : "1 or 2"));
  }
  const Index rows = header.shape[0];
  const Index columns = is_structured              ? static_cast<Index>(header.fields.size())
                        : header.shape.size() == 2 ? header.shape[1]
                                                   : 1;
  require_memory(source, rows, columns, memory_limit);

  NpyArray array{{}, header.fields, is_structured ? 2 : static_cast<Index>(header.shape.size())};
  if (rows == 0 || columns == 0) {  // nothing to read, however many empty rows are announced
    array.values.resize(rows, columns);
    return array;
  }
  const bool by_column = header.is_fortran_order && !is_structured;
  const Index outer = by_column ? columns : rows, inner = by_column ? rows : columns;
  std::size_t line_bytes = 0;  // one row, or one column in Fortran order
  for (const ElementType& type : header.types) line_bytes += type.size;
  if (!is_structured) line_bytes *= static_cast<std::size_t>(inner);
  const auto require_bytes = [&](bool are_there) {
    if (are_there) return;
    fail(source,
         "the file ends early: " + std::to_string(rows) + " x " + std::to_string(columns) +
             " values announced");
  };
  const std::optional<double> remaining = remaining_bytes(input);
  const double announced = static_cast<double>(outer) * static_cast<double>(line_bytes);
  require_bytes(!remaining || announced <= *remaining);  // before memory is taken for them
  array.values.resize(rows, columns);
  std::vector<char> line(line_bytes);
  for (Index i = 0; i < outer; ++i) {
    input.read(line.data(), static_cast<std::streamsize>(line_bytes));
    require_bytes(static_cast<bool>(input));
    const char* bytes = line.data();
    for (Index j = 0; j < inner; ++j) {
      const ElementType& type = header.types[is_structured ? static_cast<std::size_t>(j) : 0];
      (by_column ? array.values(j, i) : array.values(i, j)) = to_double(bytes, type);
      bytes += type.size;
    }
  }
  if (input.peek() != std::istream::traits_type::eof())
    fail(source, "bytes follow the announced values");
  return array;
}

NpyArray read_npy_file(const std::filesystem::path& path, double memory_limit) {
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored) || !file)
    fail(path.string(), "cannot be opened as a file");
  return read_npy(file, path.string(), memory_limit);
}

bool is_npy(std::istream& input) {
  // The first byte cannot start a text file in UTF-8, so one byte of look-ahead decides and pipes
  // work.
  return input.peek() == static_cast<unsigned char>(kMagic[0]);
}

}  // namespace pomlux
