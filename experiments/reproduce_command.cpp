// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <charconv>   // shards
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/cli.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/published_values.hpp>
#include <pomlux/experiments/reproduce_command.hpp>
#include <pomlux/experiments/reproduce_output.hpp>
#include <pomlux/experiments/reproduce_page.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <pomlux/experiments/run_session.hpp>
#include <pomlux/experiments/signals.hpp>
#include <pomlux/experiments/spec.hpp>
#include <pomlux/experiments/terminal.hpp>

namespace pomlux {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostShards = 1'000'000;

void add_variant(const std::string& name, std::vector<const Recipe*>& chosen) {
  std::vector<std::string> known;
  for (const Recipe& recipe : recipes()) {
    if (recipe.is_variant()) known.push_back(recipe.name);
  }
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    const std::string near = near_name(name, known);
    fail("--variants",
         "found " + in_quotes(name) + "; allowed: all, " + join(known) +
             (near.empty() ? "" : "; did you mean " + near + "?"));
  }
  add_recipe(name, chosen);
}

std::vector<std::string> chosen_names(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Reproduction& one : reproductions()) known.push_back(one.name);
  std::vector<std::string> chosen;
  for (const std::string& name : names) {
    if (name == "all") return known;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string near = near_name(name, known);
      throw InvalidArgument("reproduce: found " + in_quotes(name) + "; allowed: all, " +
                            join(known) + (near.empty() ? "" : "; did you mean " + near + "?"));
    }
    if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
  }
  return chosen;
}

std::vector<const Recipe*> chosen_recipes(const ReproduceCommand& command,
                                          const std::vector<std::string>& names) {
  std::vector<const Recipe*> chosen;
  for (const Reproduction& one : reproductions()) {
    if (std::find(names.begin(), names.end(), one.name) == names.end()) continue;
    for (const std::string& name : one.recipes) add_recipe(name, chosen);
  }
  const std::vector<const Recipe*> bases = chosen;
  for (const std::string& name : command.variants) {
    const auto is_needed = [&bases](const Recipe& variant) {
      return std::find(bases.begin(), bases.end(), &base_of(variant)) != bases.end();
    };
    if (name != "all") {
      add_variant(name, chosen);
      if (is_needed(recipe_named(name))) continue;
      fail("--variants",
           name + " varies " + base_of(recipe_named(name)).name +
               ", which nothing in NAME is made of");
    }
    for (const Recipe& recipe : recipes()) {
      if (recipe.is_variant() && is_needed(recipe)) add_recipe(recipe.name, chosen);
    }
  }
  return chosen;
}

/// Beside the program as it is installed, or in the folder it is called from.
fs::path find_configs(const fs::path& given) {
  std::error_code error;
  std::vector<fs::path> places{given};
  if (given.empty()) {
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    places = {"configs/paper", program.parent_path() / "../share/pomlux/paper"};
  }
  for (const fs::path& place : places) {
    if (fs::exists(place / "published.json", error)) return place.lexically_normal();
  }
  fail("reproduce",
       "found no published.json in " + in_quotes(places.front().string()) +
           "; allowed: --configs with the folder of the paper's configurations");
}

fs::path out_of(const ReproduceCommand& command) {
  if (!command.out.empty()) return command.out;
  return fs::path("results/reproduce") / to_string(command.fidelity);
}

/// Collecting makes no folder: one that is not there is more likely misspelt than empty.
void require_folder(const fs::path& out) {
  std::error_code error;
  if (fs::is_directory(out, error)) return;
  fail("collect",
       "found no folder " + in_quotes(out.string()) +
           "; allowed: --out and --fidelity as reproduce was given them");
}

std::vector<ChosenRecipe> load_all(const std::vector<const Recipe*>& chosen,
                                   const ReproduceCommand& command,
                                   const fs::path& configs) {
  std::vector<ChosenRecipe> all;
  for (const Recipe* recipe : chosen) {
    all.push_back({recipe, load_recipe(*recipe, command.fidelity, configs, command.seeds)});
  }
  return all;
}

bool is_in_shard(std::size_t number, const Shard& shard) {
  return number % shard.count == shard.index - 1;
}

/// One `pomlux run` per seed, of this shard alone, for a shell, GNU parallel or a job array.
std::string list_commands(const std::vector<ChosenRecipe>& all,
                          const ReproduceCommand& command,
                          const fs::path& configs,
                          const fs::path& out) {
  std::string text;
  std::size_t first = 0;
  for (const ChosenRecipe& work : all) {
    const Recipe& recipe = *work.recipe;
    std::string sets;
    for (const std::string& one : recipe.sets) sets += " --set " + for_shell(one);
    for (const std::string& one : recipe.at(command.fidelity).sets) {
      sets += " --set " + for_shell(one);
    }
    const std::size_t count = work.experiment.seeds.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_in_shard(first + i, command.shard)) continue;
      text += "pomlux run " + for_shell((configs / recipe.config).string()) + sets + " --seeds " +
              std::to_string(work.experiment.seeds[i]) + " --threads " +
              std::to_string(std::max(recipe.threads, 1)) + " --resume --out " +
              for_shell(recipe_folder(out, recipe).string() + ".shard-seed-" +
                        std::to_string(work.experiment.seeds[i])) +
              "\n";
    }
    first += count;
  }
  return text;
}

/// Before anything is computed: no recipe may find what it cannot go on with.
void require_usable(const fs::path& folder, const Experiment& part) {
  const FolderReport report = inspect_folder(folder, part);
  if (report.state == FolderState::kForeign || report.state == FolderState::kDifferent) {
    fail(folder.string(),
         (report.state == FolderState::kForeign ? report.detail
                                                : std::string("holds results of another "
                                                              "configuration")) +
             "; give another folder with --out, or remove this one");
  }
}

/// @return the exit code.
int compute(const std::vector<ChosenRecipe>& all,
            const ReproduceCommand& command,
            const fs::path& out) {
  catch_signals();
  try {
    make_folder(out);
  } catch (const WriteError& error) {
    throw InvalidArgument(std::string(error.what()) + "; give another folder with --out");
  }
  std::size_t first = 0;
  std::vector<ChosenRecipe> parts;
  for (const ChosenRecipe& work : all) {
    const fs::path folder = recipe_folder(out, *work.recipe, command.shard);
    ChosenRecipe part = work;
    part.experiment.seeds =
        seeds_to_compute(*work.recipe,
                         work.experiment,
                         seeds_of_shard(work.experiment.seeds, first, command.shard),
                         folder);
    part.experiment.config["seeds"] = part.experiment.seeds;
    part.experiment.config["output"] = folder.string();
    first += work.experiment.seeds.size();
    if (part.experiment.seeds.empty()) continue;
    require_usable(folder, part.experiment);
    parts.push_back(std::move(part));
  }
  bool has_failed = false;
  for (const ChosenRecipe& work : parts) {
    const Experiment& part = work.experiment;
    const fs::path folder = recipe_folder(out, *work.recipe, command.shard);
    RunOptions options;
    options.command_line = command.command_line;
    if (work.recipe->threads > 0) {
      options.jobs = 1;
      options.threads = work.recipe->threads;
    } else {
      choose_parallelism(command.jobs, command.threads, part.seeds.size(), options);
    }
    const RunOutcome outcome = run_with_progress(part, folder, FolderUse::kResume, options);
    for (const SeedOutcome& seed : outcome.seeds) {
      if (seed.status == SeedStatus::kFailed) {
        say(work.recipe->name + ": seed " + std::to_string(seed.seed) + " failed: " + seed.reason);
      }
    }
    has_failed = has_failed || outcome.has_failed();
    if (outcome.is_interrupted()) {
      say("interrupted; the same command goes on");
      return kExitInterrupted + received_signal();
    }
  }
  return has_failed ? kExitFailed : kExitDone;
}

std::string formatted(const TableComparison& comparison, TableFormat format) {
  switch (format) {
    case TableFormat::kJson:
      return comparison_json(comparison);
    case TableFormat::kCsv:
      return comparison_csv(comparison);
    case TableFormat::kLatex:
      return comparison_latex(comparison);
    case TableFormat::kTable:
      break;
  }
  return comparison_table(comparison);
}

}  // namespace

Shard parse_shard(const std::string& text) {
  Shard shard{0, 0};
  const std::size_t slash = text.find('/');
  const auto number = [](std::string_view part, std::size_t& value) {
    const char* const end = part.data() + part.size();
    const auto result = std::from_chars(part.data(), end, value);
    return !part.empty() && result.ec == std::errc() && result.ptr == end;
  };
  const std::string_view view = text;
  const bool is_pair = slash != std::string::npos && number(view.substr(0, slash), shard.index) &&
                       number(view.substr(slash + 1), shard.count);
  if (is_pair && shard.index >= 1 && shard.index <= shard.count && shard.count <= kMostShards) {
    return shard;
  }
  fail("--shard", "found " + in_quotes(text) + "; allowed: i/k with 1 <= i <= k, such as 2/8");
}

std::vector<std::uint64_t> seeds_of_shard(const std::vector<std::uint64_t>& seeds,
                                          std::size_t first,
                                          const Shard& shard) {
  std::vector<std::uint64_t> mine;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (is_in_shard(first + i, shard)) mine.push_back(seeds[i]);
  }
  return mine;
}

int reproduce(const ReproduceCommand& command) {
  const std::vector<std::string> names = chosen_names(command.names);
  const fs::path configs = find_configs(command.configs);
  const fs::path out = out_of(command);
  const Json published = read_published(configs / "published.json");
  std::vector<ChosenRecipe> all = load_all(chosen_recipes(command, names), command, configs);
  if (command.is_listing) {
    const bool is_timed = std::any_of(
        all.begin(), all.end(), [](const ChosenRecipe& work) { return work.recipe->threads > 0; });
    if (is_timed) say("these commands compare times: run them one after the other, alone");
    print(list_commands(all, command, configs, out));
    return kExitDone;
  }
  int code = kExitDone;
  if (command.computes) {
    code = compute(all, command, out);
    if (code > kExitUsage) return code;
    if (command.shard.count > 1) {
      print(out.string() + "\n");
      return code;
    }
  } else {
    require_folder(out);
  }
  const TableComparison comparison = compare(names, all, command.fidelity, out, published);
  bool is_whole = true;
  for (const RecipeResults& results : comparison.results) {
    for (const std::string& warning : results.warnings) say("warning: " + warning);
    is_whole = is_whole && results.missing.empty();
  }
  // The table first: it must not depend on whether the page can be written.
  print(formatted(comparison, command.format));
  std::vector<std::string> notes;
  const fs::path page = write_page(command.fidelity, names, all, configs, out, published, notes);
  for (const std::string& note : notes) say(note);
  say("page: " + page.string());
  const bool is_bad = !is_whole || num_differing(comparison.cells) > 0;
  return command.is_strict && is_bad ? kExitFailed : code;
}

}  // namespace pomlux
