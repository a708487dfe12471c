#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each rule of check.sh reports a tree that breaks it, and nothing in a tree that does not.
set -u -o pipefail
here=$(dirname -- "$(readlink -f -- "$0")")
tree=$(mktemp -d) || exit 1
trap 'rm -rf -- "$tree"' EXIT
failures=0

# expect RULE FILE LINE CONTENT: with CONTENT in FILE, RULE fails and names FILE:LINE.
expect() {
  local output code file=$tree/$2
  mkdir -p -- "$(dirname -- "$file")"
  printf '%b' "$4" >"$file"
  output=$("$here/check.sh" "$1" "$tree" 2>&1)
  code=$?
  if [ "$code" != 1 ] || ! grep -qF -- "$2:$3:" <<<"$output"; then
    echo "FAILED: $1 does not report '$4' in $2 (exit $code): $output"
    failures=$((failures + 1))
  fi
  rm -- "$file"
}
accept() {  # RULE: the tree as it is passes
  local output
  output=$("$here/check.sh" "$1" "$tree" 2>&1) || {
    echo "FAILED: $1 reports a good tree: $output"
    failures=$((failures + 1))
  }
}

spdx='// SPDX-License-Identifier: MIT\n'
mkdir -p "$tree"/{core,experiments,tests/consumers/embedding,.ci}
printf '%b' "$spdx#include <tbb/parallel_for.h>  // loops\n" >"$tree/core/parallel.cpp"
printf '%b' "$spdx// std::cout << is banned\n#include <pomlux/core/types.hpp>\n" >"$tree/core/a.cpp"
printf '%b' "$spdx#include <yaml-cpp/yaml.h>\n#include <pomlux/gp/kernel.hpp>\n" \
  >"$tree/experiments/b.cpp"
printf '%b' "${spdx}int main() {}\n" >"$tree/tests/consumers/embedding/main.cpp"
printf '%b' '#!/bin/sh\n# SPDX-License-Identifier: MIT\n' | tee "$tree/.ci/run" >"$tree/pomlux"
printf '%b' "# Title\n\`\`\`cpp\n${spdx}int main() {}\n\`\`\`\n" >"$tree/README.md"
for rule in arrows homes words spdx sizes texts readme; do accept "$rule"; done

expect arrows core/x.cpp 1 '#include <pomlux/gp/kernel.hpp>\n'
expect arrows gp/x.hpp 2 '\n # include <pomlux/estimators/f_lite.hpp>\n'
expect arrows acquisition/x.cpp 1 '#include <pomlux/objectives/noise.hpp>\n'
expect arrows objectives/x.cpp 1 '#include <pomlux/experiments/config.hpp>\n'
expect arrows estimators/x.cpp 1 '#include <pomlux/pomlux.hpp>\n'
expect arrows core/x.cpp 1 '#include "types.hpp"\n'
expect arrows tests/core/x.cpp 1 '#include "../catch.hpp"\n'
expect homes gp/x.cpp 1 '#include <yaml-cpp/yaml.h>\n'
expect homes core/x.cpp 1 '#include <nlohmann/json.hpp>\n'
expect homes core/x.cpp 1 '#include <oneapi/tbb/task_arena.h>\n'
expect homes gp/fit.cpp 1 '#include <LBFGSB.h>\n'
expect homes core/x.cpp 1 '#include <catch2/catch.hpp>\n'
expect words experiments/x.cpp 1 'std::normal_distribution<double> z;\n'
expect words tests/x.cpp 1 'int i = std::rand();\n'
expect words core/x.cpp 2 '\nstd::random_device device;\n'
expect words gp/x.cpp 1 'std::cout << 1;  // why\n'
expect words gp/x.cpp 1 '  printf("%d", 1);\n'
expect words core/x.cpp 1 'assert(n > 0);\n'
expect words core/x.cpp 1 'std::locale::global(std::locale("C"));\n'
expect spdx core/x.hpp 1 '#pragma once\n'
expect spdx tests/x.sh 1 '#!/bin/sh\n'
expect sizes core/x.hpp 201 "$(printf '\\n%.0s' {1..201})"
expect sizes tests/core/x.cpp 401 "$(printf '\\n%.0s' {1..401})"
expect texts docs/x.md 1 "see /ho""me/somebody/notes\n"
expect texts tests/x.txt 1 'no newline'
expect readme README.md 1 '```cpp\nint main() { return 1; }\n```\n'

for rule in arrows nonsense; do
  mkdir "$tree/empty"
  "$here/check.sh" "$rule" "$tree/empty" >/dev/null 2>&1
  [ $? = 2 ] || { echo "FAILED: $rule accepts a tree without sources"; failures=$((failures + 1)); }
  rmdir "$tree/empty"
done
[ "$failures" = 0 ] && echo "every rule reports what it should"
