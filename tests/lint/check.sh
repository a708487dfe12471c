#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# check.sh RULE [ROOT]: prints what breaks RULE in the tree ROOT (default: this one), a line each
# with file and line; exit 0 if nothing does, 1 if something does, 2 if there was nothing to check.
# tests/lint/check_test.sh shows each rule failing.
set -u -o pipefail
export LC_ALL=C

rule=${1:?usage: check.sh RULE [ROOT]}
cd -- "${2:-$(dirname -- "$(readlink -f -- "$0")")/../..}" >/dev/null || exit 2

libraries=(core gp estimators objectives acquisition)
folders=("${libraries[@]}" experiments tests)

# sources FOLDER...: its C++ files.
sources() {
  local folder
  for folder in "$@"; do
    [ ! -d "$folder" ] || find "$folder" -type f -regex '.*\.\(hpp\|cpp\|inc\)'
  done | sort
}

# texts: every file somebody reads.
texts() {
  find . \( -path './build*' -o -path ./results -o -path ./.git -o -path ./tests/oracles \) \
    -prune -o -type f -printf '%P\n' | sort | xargs -d '\n' grep -lI '' --
}

# Input: file names. Output: `file:line:code` without // comments.
code() {
  xargs -r -d '\n' awk '{ sub(/\/\/.*/, ""); if ($0 != "") print FILENAME ":" FNR ":" $0 }'
}

# Input: file names. Output: `file:line:target`, the target still in <> or quotes.
includes() {
  xargs -r -d '\n' awk '
    match($0, /^[ \t]*#[ \t]*include[ \t]*[<"][^>"]*[>"]/) {
      target = substr($0, RSTART, RLENGTH); sub(/^[^<"]*/, "", target)
      print FILENAME ":" FNR ":" target
    }'
}

# Includes point down: what each room may name, besides itself.
check_arrows() {
  sources "${folders[@]}" | includes | awk -F: '
    BEGIN {
      below["core"] = " "
      below["gp"] = below["estimators"] = below["objectives"] = " core "
      below["acquisition"] = " core gp estimators "
      below["experiments"] = " core gp estimators objectives acquisition "
    }
    {
      split($1, path, "/"); room = path[1]; target = $3
      if (target ~ /^"/) {
        # A fragment that several sources of one folder compile is no header.
        if (target !~ /^"[a-z0-9_]+\.inc"$/ && (room != "tests" || target ~ /\.\./))
          print $1 ":" $2 ": " target ": write #include <pomlux/folder/file.hpp>"
        next
      }
      if (room == "tests" || target !~ /^<pomlux\//) next
      sub(/^<pomlux\//, "", target); sub(/\/.*/, "", target)
      if (target ~ />$/ && room != "experiments")
        print $1 ":" $2 ": <pomlux/" target " is for users of the libraries, not for the libraries"
      else if (target !~ />$/ && target != room && !index(below[room], " " target " "))
        print $1 ":" $2 ": " room " must not include " target
    }'
}

# Third-party headers stay at home.
check_homes() {
  sources "${folders[@]}" | includes | awk -F: '
    function only(pattern, home, what) {
      if ($3 ~ pattern && $1 !~ home) print $1 ":" $2 ": " $3 ": " what
    }
    {
      only("^.(yaml-cpp|nlohmann|CLI)/", "^(experiments|tests)/", "only experiments and tests")
      only("^.(tbb|oneapi)/", "^core/parallel\\.cpp$", "only core/parallel.cpp")
      only("^.(LBFGS|LBFGSpp/)", "^core/minimize\\.cpp$", "only core/minimize.cpp")
      only("^.catch2/", "^tests/", "only tests")
    }'
}

# What would make results depend on the platform, the process or the clock, or print from a library.
check_words() {
  local everywhere='std::[a-z_]*_distribution|std::s?rand\b|\bs?rand\(|ffast-math'
  local in_libraries='std::(cout|cerr|clog)\b|\bf?printf\(|\bputs\(|setlocale|locale::global'
  in_libraries+='|\b(exit|abort|quick_exit|_Exit|assert|sigaction)\(|std::(signal|terminate)\b'
  in_libraries+='|std::(random_device|mt19937|default_random_engine)|system_clock|\b(time|getenv)\('
  sources "${folders[@]}" | code | grep -E "$everywhere"
  # core/isa.cpp reads one variable, POMLUX_ISA, once; nothing else in a library looks outside.
  sources "${libraries[@]}" | grep -v '^core/isa\.cpp$' | code | grep -E "$in_libraries"
}

# The licence is named on top, after the interpreter in a script.
check_spdx() {
  { sources "${folders[@]}"; find tests -name '*.sh'; printf '%s\n' pomlux .ci/run; } |
    xargs -r -d '\n' awk '
      FNR <= 2 && /^(\/\/|#) SPDX-License-Identifier: MIT$/ { named[FILENAME] = 1 }
      END {
        for (i = 1; i < ARGC; ++i)
          if (!named[ARGV[i]]) print ARGV[i] ":1: no SPDX line on top"
      }'
}

# Past these sizes a file holds more than one idea.
check_sizes() {
  sources "${folders[@]}" | xargs -r -d '\n' awk '
    function check() {
      limit = name ~ /\.hpp$/ ? 200 : 400
      if (lines > limit) print name ":" lines ": " lines " lines; at most " limit
    }
    FNR == 1 && NR > 1 { check() }
    { name = FILENAME; lines = FNR }
    END { if (NR) check() }'
}

# Paths of somebody's machine; files that end without a newline.
check_texts() {
  texts | xargs -r -d '\n' \
    grep -nE '(^|[^A-Za-z0-9_.}/-])/(w[o]rk|h[o]me|r[o]ot|Us[e]rs|tmp/b[a]sh)(/|_)' --
  texts | while IFS= read -r file; do
    [ -z "$(tail -c 1 -- "$file")" ] || echo "$file:1: ends without a newline"
  done
}

# The program in the README is the one that is built and run, and it stays small.
check_readme() {
  local program=tests/consumers/embedding/main.cpp
  [ -f "$program" ] || { echo "$program:1: is not there"; return; }
  [ "$(wc -l <"$program")" -le 30 ] || echo "$program:1: over 30 lines"
  awk '/^```cpp$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' README.md |
    diff - "$program" >/dev/null || echo "README.md:1: its first C++ block differs from $program"
}

case $rule in
  arrows | homes | words | spdx | sizes | texts | readme) ;;
  *) echo "check.sh: no rule '$rule'" >&2; exit 2 ;;
esac
[ -n "$(sources "${folders[@]}" | head -n 1)" ] || {
  echo "check.sh: no sources in $PWD" >&2
  exit 2
}
found=$("check_$rule")
[ -z "$found" ] || { printf '%s\n' "$found"; exit 1; }
