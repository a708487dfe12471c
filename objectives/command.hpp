// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // working directory
#include <functional>  // stop requests
#include <pomlux/core/objective.hpp>
#include <string>         // arguments, names
#include <string_view>    // names
#include <unordered_map>  // columns by name
#include <vector>         // arguments, names

namespace pomlux {

/// How a command is told the point.
enum class CommandInput {
  kArguments,  ///< in its arguments
  kJson,       ///< as one line {"name": number, ...} on standard input
};

/// A program that evaluates a point.
struct CommandOptions {
  /// The program (find_program, child_process.hpp) and its arguments; none of them reaches a shell.
  /// With uses_shell: one text for /bin/sh -c.
  std::vector<std::string> command;
  bool uses_shell = false;
  CommandInput input = CommandInput::kArguments;
  /// Of the coordinates, [d], d >= 1. For kArguments, {name} in the command is replaced by that
  /// coordinate and {point} by all of them: as arguments of their own where it is the whole
  /// argument, else with blanks between. A command without any is given all coordinates behind its
  /// arguments, a shell as $1, $2, ... Numbers are written as format_number does. Braces around
  /// anything but one word, and those of ${word}, are ordinary text.
  std::vector<std::string> names;
  /// Of each coordinate that is the number of a category, from 0: the texts written in its place;
  /// empty for the others. [d], or empty: all are numbers.
  std::vector<std::vector<std::string>> categories{};
  /// "NAME=value", in place of the caller's variable of that name or in addition.
  std::vector<std::string> environment{};
  /// Working directory; empty: the caller's. Programs named with a '/' are relative to it.
  std::filesystem::path folder{};
  /// Seconds, > 0, until the command and its process group are ended.
  std::optional<double> timeout{};
};

/// f(x) = what a program prints (parse_command_result, command_result.hpp). It runs once per point,
/// one after the other, as run_child says; standard error is read for messages.
class CommandObjective final : public Objective {
 public:
  /// @throws InvalidArgument for an empty command, a shell command of several texts, a placeholder
  /// that is no coordinate, placeholders together with kJson, a variable without '=', a folder that
  /// is none, a timeout out of range, and a program that cannot be found or executed.
  explicit CommandObjective(CommandOptions options);
  [[nodiscard]] Index dimension() const override;
  [[nodiscard]] Vector evaluate(const PointsRef& points, Rng& rng) const override;
  /// @throws InvalidArgument for points of another dimension, and if the program cannot be executed
  /// after all; EvaluationFailed, naming the command, if it ends with another code than 0, by a
  /// signal or after the timeout, or prints anything but a result; EvaluationStopped.
  [[nodiscard]] Observations observe(const PointsRef& points, Rng& rng) const override;
  /// Not known.
  [[nodiscard]] std::optional<Vector> true_values(const PointsRef& points) const override;
  void stop_when(std::function<bool()> should_stop) override;

 private:
  /// A part of an argument: text, or a place for coordinates.
  struct Piece {
    std::string text;
    Index column = kText;
  };
  static constexpr Index kText = -1;   // column of a Piece
  static constexpr Index kPoint = -2;  // column of a Piece: all of them
  using Pieces = std::vector<Piece>;

  using Columns = std::unordered_map<std::string_view, Index>;  // by name

  [[nodiscard]] Pieces parse(const std::string& text, const Columns& columns) const;
  [[nodiscard]] bool is_category(Index k) const;
  [[nodiscard]] std::string coordinate_text(const PointRef& point, Index k) const;
  [[nodiscard]] std::vector<std::string> arguments_at(const PointRef& point) const;
  [[nodiscard]] std::string input_at(const PointRef& point) const;

  CommandOptions options_;
  std::filesystem::path program_;
  std::vector<Pieces> arguments_;
  bool has_placeholder_ = false;
  std::function<bool()> should_stop_;
};

}  // namespace pomlux
