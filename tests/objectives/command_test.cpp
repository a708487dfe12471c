// SPDX-License-Identifier: MIT
#include <experiments/temporary_folder.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/command.hpp>
#include <pomlux/objectives/command_result.hpp>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

using namespace pomlux;

CommandOptions command_options(std::vector<std::string> command) {
  CommandOptions result;
  result.command = std::move(command);
  result.names = {"width", "height"};
  return result;
}

CommandOptions shell_command(const std::string& script) {
  CommandOptions result = command_options({script});
  result.uses_shell = true;
  return result;
}

Points point() {
  Points result(1, 2);
  result << 0.25, -1e-05;
  return result;
}

double value_of(const CommandOptions& command) {
  Rng rng = make_stream(1, "test");
  return CommandObjective(command).evaluate(point(), rng)(0);
}

/// The message of the failed evaluation.
std::string failure_of(const CommandOptions& command) {
  try {
    return "no failure, but " + format_number(value_of(command));
  } catch (const EvaluationFailed& error) {
    return error.what();
  }
}

/// What a script that prints its arguments in < and >, and fails, was given.
std::string seen_by(CommandOptions command, const std::string& script) {
  if (command.uses_shell) {
    command.command.front() = script;
  } else {
    command.command.insert(command.command.begin(), {"/bin/sh", "-c", script, "sh"});
  }
  const std::string message = failure_of(command);
  const std::string printed = "printed '";
  const std::size_t begin = message.find(printed + "<");
  if (begin == std::string::npos) return message;
  return message.substr(begin + printed.size(), message.rfind('>') + 1 - begin - printed.size());
}

}  // namespace

TEST_CASE("A command is given the point as its placeholders say", "[objectives][command]") {
  const std::string show = "printf '<'; printf '(%s)' \"$@\"; printf '>'; exit 1";
  CHECK(seen_by(command_options({}), show) == "<(0.25)(-1e-05)>");
  CHECK(seen_by(command_options({"-n", "3"}), show) == "<(-n)(3)(0.25)(-1e-05)>");
  CHECK(seen_by(command_options({"--height={height}", "{width}"}), show) ==
        "<(--height=-1e-05)(0.25)>");
  CHECK(seen_by(command_options({"{point}", "end"}), show) == "<(0.25)(-1e-05)(end)>");
  CHECK(seen_by(command_options({"at {point}!"}), show) == "<(at 0.25 -1e-05!)>");
  CHECK(seen_by(command_options({"{ width }", "{}", "${width}", "{a b}", "{", "{width}"}), show) ==
        "<({ width })({})(${width})({a b})({)(0.25)>");
  CHECK(seen_by(shell_command(""), show) == "<(0.25)(-1e-05)>");
  CHECK(seen_by(shell_command(""), "printf '<%s>' '{height}|{point}'; exit 1") ==
        "<-1e-05|0.25 -1e-05>");
}

TEST_CASE("A command is given the point as JSON", "[objectives][command]") {
  CommandOptions command =
      command_options({"/bin/sh", "-c", "printf '<'; cat; printf '>'; exit 1"});
  command.input = CommandInput::kJson;
  command.names = {"width \"mm\"", "a\\b\t"};
  CHECK_THAT(failure_of(command),
             ContainsSubstring(R"(<{"width \"mm\"": 0.25, "a\\b\u0009": -1e-05}\x0a>)"));
  command.command = {"/bin/sh", "-c", "exec <&-; echo 4"};  // reads nothing
  CHECK(value_of(command) == 4.0);
}

TEST_CASE("Results are numbers or objects with a value", "[objectives][command]") {
  const auto [text, value, noise] = GENERATE(table<std::string, double, double>({
      {"12.5\n", 12.5, -1.0},
      {"  -3e2\t\r\n\n", -300.0, -1.0},
      {"+.5", 0.5, -1.0},
      {"0", 0.0, -1.0},
      {R"({"value": 2})", 2.0, -1.0},
      {R"({"noise_stddev":0.25,"value":-1e-3})", -0.001, 0.25},
      {"\n{\n  \"value\" : 1.5 ,\n  \"noise_stddev\" : 0\n}\n", 1.5, 0.0},
  }));
  CAPTURE(text);
  const CommandResult result = parse_command_result(text);
  CHECK(result.value == value);
  CHECK(result.noise_stddev.value_or(-1.0) == noise);
}

TEST_CASE("Anything else that a command prints is a failure that quotes it",
          "[objectives][command]") {
  const auto [text, quoted] = GENERATE(table<std::string, std::string>({
      {"", "printed nothing"},
      {" \n", "printed nothing"},
      {"nan\n", "printed 'nan'"},
      {"-inf", "printed '-inf'"},
      {"1e999", "printed '1e999'"},
      {"-1e150", "printed '-1e150' (beyond 1e+100 in size)"},
      {R"({"value": 1e150})", "'value' is '1e150', beyond 1e+100 in size"},
      {R"({"value": 1, "noise_stddev": 1e150})", "'noise_stddev' is '1e150', beyond"},
      {"12,5\n", "printed '12,5'"},
      {"12.5 kg\n", "printed '12.5 kg'"},
      {"0x10", "printed '0x10'"},
      {"\ufeff12.5\n", "printed '\\xef\\xbb\\xbf12.5'"},
      {"1\u00a0000", "printed '1\\xc2\\xa0000'"},
      {"1\n2\n", "printed '1\\x0a2' (more than one line)"},
      {std::string("\x80\0\x01", 3), "printed '\\x80\\x00\\x01'"},
      {R"({"value": nan})", "'value' is 'nan'"},
      {R"({"value": "3"})", "'value' is '\"3\"'"},
      {R"({"value": null})", "'value' is 'null'"},
      {R"({"value": 1, "noise": 2})", "the key 'noise' is not known"},
      {R"({"value": 1, "value": 2})", "'value' is given twice"},
      {R"({"value": 1, "noise_stddev": -1})", "noise_stddev is below 0"},
      {R"({"noise_stddev": 1})", "there is no 'value'"},
      {R"({"value": 1)", "there is no '}'"},
      {R"({"value": 1,})", "there is no '\"'"},
      {R"({"value" 1})", "there is no ':'"},
      {R"({"val)", "a quote is not closed"},
      {R"({"value": 1} 2)", "text behind the object"},
      {"{}", "there is no '\"'"},
      {"[1]", "printed '[1]'"},
  }));
  CAPTURE(text);
  CHECK_THROWS_AS(parse_command_result(text), EvaluationFailed);
  CHECK_THROWS_WITH(parse_command_result(text),
                    ContainsSubstring(quoted) && ContainsSubstring("allowed: one finite number"));
}

TEST_CASE("A command reports the noise of its value", "[objectives][command]") {
  Rng rng = make_stream(1, "test");
  const Points points = point().replicate(2, 1);
  const CommandObjective noisy(shell_command(R"(echo '{"value": 2, "noise_stddev": 0.5}')"));
  const Observations observed = noisy.observe(points, rng);
  CHECK(observed.values == Vector::Constant(2, 2.0));
  CHECK(observed.noise_stddev == std::vector<std::optional<double>>{0.5, 0.5});
  CHECK(!CommandObjective(shell_command("echo 2")).observe(points, rng).noise_stddev.at(1));
  CHECK(!noisy.true_values(points));
}

TEST_CASE("A command that fails says how, with its last words", "[objectives][command]") {
  CHECK_THAT(failure_of(shell_command("echo one >&2; echo two >&2; echo >&2; exit 3")),
             ContainsSubstring("exit code 3") && ContainsSubstring("ends with 'one | two'"));
  CHECK_THAT(failure_of(shell_command("seq 1000 >&2; exit 1")),
             ContainsSubstring("'998 | 999 | 1000'"));
  CHECK_THAT(failure_of(shell_command("kill -KILL $$")), ContainsSubstring("signal 9"));
  CHECK_THAT(failure_of(shell_command("echo 1; echo warning: 2 >&2; echo 3")),
             ContainsSubstring("printed '1\\x0a3'") && ContainsSubstring("'warning: 2'"));
  CHECK_THAT(failure_of(shell_command("echo 5; exit 1")), ContainsSubstring("printed '5'"));
  CHECK_THAT(failure_of(shell_command("head -c 100000 /dev/zero")),
             ContainsSubstring("more than 65536 bytes"));
  CommandOptions slow = shell_command("sleep 60");
  slow.timeout = 0.25;
  CHECK_THAT(failure_of(slow), ContainsSubstring("took more than 0.25 s"));
}

TEST_CASE("A command is given up on request", "[objectives][command]") {
  CommandObjective objective(shell_command("sleep 60"));
  objective.stop_when([] { return true; });
  Rng rng = make_stream(1, "test");
  CHECK_THROWS_AS(objective.evaluate(point(), rng), EvaluationStopped);
}

TEST_CASE("A command that cannot work is refused before it runs", "[objectives][command]") {
  const auto refused = [](CommandOptions command, const std::string& message) {
    CAPTURE(message);
    CHECK_THROWS_AS(CommandObjective(command), InvalidArgument);
    CHECK_THROWS_WITH(CommandObjective(command), ContainsSubstring(message));
  };
  refused(command_options({}), "command is empty");
  refused(command_options({"no-such-program"}), "'no-such-program' is not in PATH: ");
  refused(command_options({"./no-such-program"}), "is not there");
  refused(command_options({"/bin/echo", "{widht}"}),
          "{widht}; allowed: {width}, {height}, {point}");
  CommandOptions command = command_options({"/bin/echo", "{width}"});
  command.input = CommandInput::kJson;
  refused(command, "placeholders are for input: arguments");
  command = command_options({"/bin/echo"});
  command.environment = {"=3"};
  refused(command, "'=3'; allowed: NAME=value");
  command = command_options({"/bin/echo"});
  command.folder = "/no/such/folder";
  refused(command, "/no/such/folder is no folder");
  command = command_options({"/bin/echo"});
  command.timeout = 0.0;
  refused(command, "timeout is 0");
  command = command_options({"echo", "1"});
  command.uses_shell = true;
  refused(command, "allowed: one");
  command = command_options({"/bin/echo"});
  command.names.clear();
  refused(command, "names is empty");
}

TEST_CASE("A script without an interpreter is the caller's to mend", "[objectives][command]") {
  const test::TemporaryFolder folder;
  for (const auto& [text, hint] : std::vector<std::pair<std::string, std::string>>{
           {"echo 1\n", "begins with #!"}, {"#!/no/such/interpreter\n", "interpreter there"}}) {
    test::make_file(folder.path() / "simulate", text);
    std::filesystem::permissions(folder.path() / "simulate", std::filesystem::perms::owner_all);
    CommandOptions command = command_options({"./simulate"});
    command.folder = folder.path();
    Rng rng = make_stream(1, "test");
    const CommandObjective objective(command);
    CHECK_THROWS_AS(objective.evaluate(point(), rng), InvalidArgument);
    CHECK_THROWS_WITH(objective.evaluate(point(), rng), ContainsSubstring(hint));
  }
}

TEST_CASE("A working directory or program that has gone is named", "[objectives][command]") {
  const test::TemporaryFolder folder;
  test::make_file(folder.path() / "lab/simulate", "#!/bin/sh\necho 1\n");
  std::filesystem::permissions(folder.path() / "lab/simulate", std::filesystem::perms::owner_all);
  CommandOptions command = command_options({"./simulate"});
  command.folder = folder.path() / "lab";
  Rng rng = make_stream(1, "test");
  const CommandObjective objective(command);
  CHECK(objective.evaluate(point(), rng)(0) == 1.0);
  std::filesystem::remove(folder.path() / "lab/simulate");
  CHECK_THROWS_WITH(objective.evaluate(point(), rng),
                    ContainsSubstring("the program is not there any more"));
  std::filesystem::remove_all(folder.path() / "lab");
  CHECK_THROWS_AS(objective.evaluate(point(), rng), InvalidArgument);
  CHECK_THROWS_WITH(objective.evaluate(point(), rng),
                    ContainsSubstring("working directory " + command.folder.string() + " is no"));
}

TEST_CASE("A command refuses points of another dimension and such that are not finite",
          "[objectives][command]") {
  const CommandObjective objective(shell_command("echo 1"));
  Rng rng = make_stream(1, "test");
  CHECK(objective.dimension() == 2);
  CHECK_THROWS_AS(objective.evaluate(Points::Zero(1, 3), rng), InvalidArgument);
  CHECK_THROWS_AS(objective.evaluate(Points::Constant(1, 2, kNaN), rng), InvalidArgument);
  CHECK(objective.evaluate(Points(0, 2), rng).size() == 0);
}
