// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find_if
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/reproduce_recipes.hpp>
#include <pomlux/experiments/spec.hpp>

namespace pomlux {
namespace {

using Sets = std::vector<std::string>;

/// The truth by a number of samples instead of the protocol's.
Sets with_samples(const std::string& samples, const std::string& steps) {
  return {"track.estimators[0].alpha=0",
          "track.estimators[0].samples=" + samples,
          "track.steps=" + steps};
}

Sets plus(Sets sets, const Sets& more) {
  sets.insert(sets.end(), more.begin(), more.end());
  return sets;
}

// Steps of the quick runs are about the middles of equal parts of the averaged ones.
std::vector<Recipe> make_recipes() {
  const Recipe::Setting whole;
  const Recipe::Setting few_vectors{"0-1", {"vectors.sizes=[2, 16, 100]"}};
  const Recipe synthetic{"synthetic", "table1_synthetic.yaml", "", {}, {few_vectors, whole, whole}};
  const Recipe gp1{
      "gp1",
      "gp1.yaml",
      "",
      {},
      {Recipe::Setting{"0-1", plus(with_samples("2000", "[2, 5]"), {"budget.steps=6"})},
       Recipe::Setting{"",
                       with_samples("200000",
                                    "[5, 15, 25, 35, 45, 55, 65, 75, 85, 95, 105, 115, 125, 135, "
                                    "145, 155, 165, 175, 185, 195]")},
       whole}};
  const Recipe gp2{
      "gp2",
      "gp2.yaml",
      "",
      {},
      {Recipe::Setting{"0-1", plus(with_samples("2000", "[2, 5]"), {"budget.steps=6"})},
       Recipe::Setting{"", with_samples("200000", "[2, 7, 12, 17, 22, 27, 32, 37, 42, 47]")},
       whole}};
  const Recipe drop_wave{
      "drop_wave",
      "drop_wave.yaml",
      "",
      {},
      {Recipe::Setting{"0-1", plus(with_samples("2000", "[10, 11]"), {"budget.steps=12"})},
       Recipe::Setting{"", {"track.steps=[14, 23, 32, 41, 50, 59, 68, 77, 86, 95]"}},
       whole}};
  const Recipe quadcopter{
      "quadcopter",
      "quadcopter.yaml",
      "",
      {},
      {Recipe::Setting{"0-1", plus(with_samples("2000", "[5, 7]"), {"budget.steps=8"})},
       Recipe::Setting{"", with_samples("200000", "[17, 41, 66, 90, 114, 138, 163, 174]"), 174},
       whole}};
  const auto alternative = [&](const char* name, const char* mean, const char* stddev) {
    Recipe recipe = synthetic;
    recipe.name = name;
    recipe.sets = {"vectors.mean=" + std::string(mean), "vectors.stddev=" + std::string(stddev)};
    return recipe;
  };
  const auto entropy_search = [&](const char* name, const char* config) {
    return Recipe{name, config, "", {}, {Recipe::Setting{"0-1", {"budget.steps=3"}}, whole, whole}};
  };
  const Recipe search_ts_mc = entropy_search("entropy_search_ts_mc", "entropy_search_ts_mc.yaml");
  const Recipe accuracy_runtime{
      "accuracy_runtime",
      "accuracy_runtime.yaml",
      "",
      {},
      {Recipe::Setting{"0-1",
                       plus(with_samples("3000", "[10, 11]"),
                            {"budget.steps=12",
                             "track.estimators[5].alpha=0.1",
                             "track.estimators[6].alpha=0.1"})},
       // The truth has more samples than anything compared with it.
       Recipe::Setting{"", {"track.estimators[0].alpha=5", "track.steps=[12, 17, 22, 27]"}},
       whole},
      1};
  const auto large_scale = [&](const char* name, const char* config) {
    return Recipe{
        name,
        config,
        "",
        {},
        {Recipe::Setting{"0-1", {"budget.steps=3", "domain.size=2000", "domain.dimension=100"}},
         Recipe::Setting{"0-1", {}},
         whole}};
  };
  const auto runtime = [&](int size) {
    Recipe recipe{"runtime_" + std::to_string(size), "runtime.yaml", "", {}, {}, 1};
    recipe.sets = {"domain.subset.size=" + std::to_string(size)};
    // TS-MC takes n^2 samples of n arms each: n^4 operations, and is left out beyond the GPU's own
    // limit; up to there it is timed at few steps in a quick run.
    const bool has_ts_mc = size <= 1024;
    if (!has_ts_mc) {
      recipe.sets.emplace_back(
          "track.estimators=[{type: est, alpha: 1}, {type: vapor, alpha: 1}, {type: f_lite, "
          "alpha: 1}, {type: a_lite, alpha: 1}, {type: independence, alpha: 1}, {type: "
          "local_hazard}]");
    }
    const std::string smoke_samples = "track.estimators[5].samples=100";
    Recipe::Setting smoke{"0", {"budget.steps=2", "track.steps=[1]"}};
    if (has_ts_mc) smoke.sets = {"budget.steps=2", "track.estimators[5].alpha=0", smoke_samples};
    recipe.settings = {smoke,
                       Recipe::Setting{"",
                                       {size == 1024 ? "track.steps=[20, 70]"
                                                     : "track.steps=[5, 15, 25, 35, "
                                                       "45, 55, 65, 75, 85, 95]"}},
                       whole};
    return recipe;
  };
  const auto variant = [](Recipe recipe, const char* name, const char* hypothesis, Sets sets) {
    recipe.name += std::string(".") + name;
    recipe.hypothesis = hypothesis;
    recipe.sets = std::move(sets);
    return recipe;
  };
  // The tables' rows of the paper, and ours, without the other estimators again.
  const auto added = [&](const Recipe& recipe, const char* truth_alpha, const char* alpha) {
    return variant(
        recipe,
        "added",
        "rows that the tables do not have: EST against E[max(F*, 0)], as the public "
        "code integrates, and local_hazard, which sees correlation",
        {std::string("track.estimators=[{type: ts_mc, batches: 4, alpha: ") + truth_alpha +
         "}, {type: est_positive_part, alpha: " + alpha + "}, {type: local_hazard}]"});
  };
  constexpr const char* by_value =
      "expected improvement ranked by its value, so that candidates tie where it underflows and "
      "the "
      "first is taken";
  std::vector<Recipe> all{
      synthetic,
      alternative("synthetic_b", "[0, 5]", "[0.5, 2]"),
      alternative("synthetic_c", "[0, 5]", "[0.5, 0.5]"),
      alternative("synthetic_d", "[0, 0.1]", "[0.5, 0.5]"),
      gp1,
      added(gp1, "10", "10"),
      gp2,
      added(gp2, "10", "10"),
      drop_wave,
      added(drop_wave, "1", "1"),
      variant(drop_wave,
              "lbfgs",
              "hyper-parameters by L-BFGS to the maximum of the likelihood instead of Adam, "
              "which stops early",
              {"model.fit.method=lbfgs"}),
      variant(drop_wave, "ei_by_value", by_value, {"acquisition.type=ei_by_value"}),
      quadcopter,
      added(quadcopter, "10", "1"),
      variant(quadcopter, "ei_by_value", by_value, {"acquisition.type=ei_by_value"}),
      variant(quadcopter,
              "lbfgs",
              "hyper-parameters by L-BFGS to the maximum of the likelihood instead of Adam, "
              "which stops early",
              {"model.fit.method=lbfgs"}),
      variant(quadcopter,
              "control_1e-4",
              "nominal controls stopped at a gradient norm of 1e-4, the default of the "
              "paper's control library",
              {"objective.control_tolerance=1e-4"}),
      entropy_search("entropy_search", "entropy_search.yaml"),
      search_ts_mc,
      variant(search_ts_mc,
              "four_samples",
              "four joint samples behind each entropy, as the text says, instead of 100",
              {"acquisition.estimator.samples=4"}),
      accuracy_runtime,
      large_scale("large_scale_ei", "large_scale_ei.yaml"),
      large_scale("large_scale_ucb", "large_scale_ucb.yaml"),
      variant(large_scale("large_scale_ei", "large_scale_ei.yaml"),
              "sphere",
              "10 000 points on the unit sphere, as the text says",
              {"domain.type=sphere", "domain.size=10000"}),
      variant(large_scale("large_scale_ei", "large_scale_ei.yaml"),
              "small_signal",
              "no fits, and a model whose signal has 0.93 of the true standard deviation",
              {"model.fit.method=none",
               "model.kernel.length_scale=1.08",
               "model.kernel.amplitude=0",
               "model.noise_stddev=0.1"})};
  for (const int size : {4, 16, 64, 256, 1024, 4096, 16384, 65536}) {
    all.push_back(runtime(size));
    Recipe two = runtime(size);
    two.name += ".two_threads";
    two.hypothesis = "on two threads";
    two.threads = 2;
    all.push_back(std::move(two));
  }
  return all;
}

}  // namespace

const char* to_string(Fidelity fidelity) {
  switch (fidelity) {
    case Fidelity::kSmoke:
      return "smoke";
    case Fidelity::kQuick:
      return "quick";
    case Fidelity::kPaper:
      break;
  }
  return "paper";
}

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> table = make_recipes();
  return table;
}

const Recipe& recipe_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes()) {
    if (recipe.name == name) return recipe;
    names.push_back(recipe.name);
  }
  throw InvalidArgument("found '" + name + "'; allowed: " + join(names));
}

void add_recipe(const std::string& name, std::vector<const Recipe*>& chosen) {
  const Recipe* const recipe = &recipe_named(name);
  if (std::find(chosen.begin(), chosen.end(), recipe) == chosen.end()) chosen.push_back(recipe);
}

const Recipe& base_of(const Recipe& recipe) {
  return recipe_named(recipe.name.substr(0, recipe.name.find('.')));
}

const std::vector<TableColumn>& table_columns() {
  static const std::vector<TableColumn> table{{"synthetic", "synthetic", 0, 0.0, false},
                                              {"gp1", "gp1", 0, 9e6, true},
                                              {"gp2", "gp2", 0, 1.6e7, true},
                                              {"drop_wave", "drop_wave", 10, 390625.0, true},
                                              {"quadcopter", "quadcopter", 5, 1.6e7, true}};
  return table;
}

const TableColumn* find_table_column(const std::string& recipe) {
  const std::string base = recipe.substr(0, recipe.find('.'));
  const std::vector<TableColumn>& table = table_columns();
  const auto found = std::find_if(
      table.begin(), table.end(), [&](const TableColumn& one) { return one.recipe == base; });
  return found == table.end() ? nullptr : &*found;
}

const std::vector<Reproduction>& reproductions() {
  static const std::vector<Reproduction> table{
      {"table1",
       "total variation to the true probability of maximality, by estimator",
       {"synthetic", "gp1", "gp2", "drop_wave", "quadcopter"}},
      {"table2",
       "relative error of the entropy of the probability of maximality",
       {"gp1", "gp2", "drop_wave", "quadcopter"}},
      {"auc", "area under the recall curve of the quadcopter's last posterior", {"quadcopter"}},
      {"fig-recall", "expected recall of the best candidates, quadcopter", {"quadcopter"}},
      {"fig-tv-gp1", "errors along Bayesian optimisation of 1-dim sample paths", {"gp1"}},
      {"fig-tv-synthetic", "total variation by the number of independent arms", {"synthetic"}},
      {"fig-tv-quadcopter", "errors along Bayesian optimisation of the quadcopter", {"quadcopter"}},
      {"fig-gp2", "errors along Bayesian optimisation of 2-dim sample paths", {"gp2"}},
      {"fig-dropwave", "errors along Bayesian optimisation of drop-wave", {"drop_wave"}},
      {"fig-synthetic-alternatives",
       "total variation on other distributions of independent arms",
       {"synthetic_b", "synthetic_c", "synthetic_d"}},
      {"fig-accuracy-runtime", "accuracy and time by alpha, drop-wave", {"accuracy_runtime"}},
      {"fig-entropy-search",
       "entropy of the probability of maximality along Entropy Search",
       {"entropy_search", "entropy_search_ts_mc"}},
      {"fig-large-scale",
       "entropy of the probability of maximality of 100 000 candidates in 1000 dimensions",
       {"large_scale_ei", "large_scale_ucb"}},
      {"fig-runtime",
       "time of one estimate by the number of candidates",
       {"runtime_4",
        "runtime_16",
        "runtime_64",
        "runtime_256",
        "runtime_1024",
        "runtime_4096",
        "runtime_16384",
        "runtime_65536"}},
      {"fig-samples", "one posterior by TS-MC with more and more samples", {}},
      {"fig-independence-bias", "TS-MC beside the independence assumption", {}},
      {"fig-maxima", "the maximum of n independent standard normals", {}},
      {"fig-alite", "what A-LITE approximates", {}},
      {"fig-phi", "the normal distribution function beside its asymptotes", {}},
      {"fig-setups", "posteriors in the course of the runs behind the tables", {}}};
  return table;
}

}  // namespace pomlux
