#!/bin/bash
# SPDX-License-Identifier: MIT
# pomlux reproduce and collect as a user calls them: reproduce.sh PROGRAM CONFIGS
set -euo pipefail
program=$1
configs=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
writers=()
fail() { echo "$1" >&2; exit 1; }

"$program" reproduce all --fidelity smoke --configs "$configs" --out "$folder/all" --format json \
    > "$folder/all.json"
for file in index.html tables.txt tables.json; do
  [ -s "$folder/all/$file" ] || fail "no $file"
done
# Each figure as SVG, data and script; one per reproduction that is a figure.
wanted=$("$program" reproduce --help | grep -c '^  fig-')
found=$(find "$folder/all/figures" -name '*.svg' | wc -l)
[ "$found" -ge "$wanted" ] || fail "$found figures of $wanted"
grep -q '"table": "auc"' "$folder/all.json" || fail "no cells of auc"

# Nothing is computed twice: the second time takes what is there.
before=$(stat -c %Y "$folder"/all/gp1/seed-0000/pom.csv)
"$program" reproduce table2 --fidelity smoke --configs "$configs" --out "$folder/all" > /dev/null 2>&1
[ "$(stat -c %Y "$folder"/all/gp1/seed-0000/pom.csv)" = "$before" ] || fail "computed again"

# A page keeps what earlier calls have made of the same folder.
for part in 'id="table1"\|<h2>table1' '<h2>fig-samples' 'fig_maxima.svg' '<pre>.*schema\|^schema'; do
  grep -q "$part" "$folder/all/index.html" || fail "the page of a later call lost $part"
done
# Fewer seeds than before are a part of what is there.
"$program" reproduce table2 --fidelity smoke --configs "$configs" --out "$folder/all" --seeds 0 \
    2> /dev/null | grep -q '^gp1: 1 seeds' || fail "--seeds 0 after 0-1"

# Shards, in any order and one of them twice, come to the same table as the whole.
cells() { "$program" collect table1 --fidelity smoke --configs "$configs" --out "$1" --format csv 2> /dev/null; }
for shard in 3/3 1/3 3/3 2/3; do
  "$program" reproduce table1 --fidelity smoke --configs "$configs" --out "$folder/parts" \
      --shard "$shard" > /dev/null 2>&1
done
[ "$(cells "$folder/all")" = "$(cells "$folder/parts")" ] || fail "shards differ from the whole"

# The whole takes what shards have.
"$program" reproduce table1 --fidelity smoke --configs "$configs" --out "$folder/parts" > /dev/null 2>&1
[ ! -e "$folder/parts/gp1" ] || fail "the whole computed what its shards have"

# The commands that --list prints do the same, one seed each.
PATH="$(dirname "$program"):$PATH"
"$program" reproduce table1 --fidelity smoke --configs "$configs" --out "$folder/lines" --list \
    | grep -E "gp1|gp2" > "$folder/lines.txt"
[ "$(wc -l < "$folder/lines.txt")" = 4 ] || fail "expected 4 commands"
for shard in 1/2 2/2; do
  "$program" reproduce table1 --fidelity smoke --configs "$configs" --out "$folder/lines" --list \
      --shard $shard
done | sort | grep -E "gp1|gp2" | cmp - <(sort "$folder/lines.txt") || fail "--list of two shards"
head -3 "$folder/lines.txt" | bash > /dev/null 2>&1
"$program" collect table1 --fidelity smoke --configs "$configs" --out "$folder/lines" \
    > "$folder/lines.out" 2> /dev/null
grep -q '^gp1: 2 seeds' "$folder/lines.out" || fail "the listed commands left no gp1"
grep -q '^gp2: 1 seeds.*missing seeds: 1' "$folder/lines.out" || fail "a missing seed is not named"
if "$program" collect table1 --fidelity smoke --configs "$configs" --out "$folder/lines" --strict \
    > /dev/null 2>&1; then
  fail "--strict passed with missing seeds"
fi

# A seed whose file has lost its end, or all of it, is missing; it does not enter an average.
cp -r "$folder/all" "$folder/damaged"
head -3 "$folder/all/gp1/seed-0001/pom.csv" > "$folder/damaged/gp1/seed-0001/pom.csv"
rm "$folder/damaged/gp2/seed-0000/pom.csv"
"$program" collect table2 --fidelity smoke --configs "$configs" --out "$folder/damaged" \
    > "$folder/damaged.out" 2>&1
grep -q '^gp1: 1 seeds.*missing seeds: 1' "$folder/damaged.out" || fail "a cut file counts"
grep -q '^gp2: 1 seeds.*missing seeds: 0' "$folder/damaged.out" || fail "a lost file counts"
grep -q 'warning: gp1: seed 1 left out' "$folder/damaged.out" || fail "a cut file is not named"
sed -i '$d' "$folder/damaged/quadcopter/seed-0001/recall.csv"
"$program" collect auc --fidelity smoke --configs "$configs" --out "$folder/damaged" 2>&1 |
    grep -q '^quadcopter: 1 seeds.*missing seeds: 1' || fail "a cut recall counts"
head -c 100 /dev/urandom > "$folder/damaged/figures/fig-phi.html"
"$program" reproduce table2 auc --fidelity smoke --configs "$configs" --out "$folder/damaged" \
    > "$folder/damaged.out" 2>&1
for recipe in gp1 gp2 quadcopter; do
  grep -q "^$recipe: 2 seeds" "$folder/damaged.out" || fail "$recipe is not completed"
done
[ "$(cells "$folder/all")" = "$(cells "$folder/damaged")" ] || fail "completed otherwise"
iconv -f utf-8 -t utf-8 "$folder/damaged/index.html" > /dev/null || fail "a damaged section is shown"

# Several writers of one page take turns.
for _ in 1 2 3; do
  "$program" collect fig-gp2 --fidelity smoke --configs "$configs" --out "$folder/all" > /dev/null 2>&1 &
  writers+=($!)
done
for writer in "${writers[@]}"; do wait "$writer" || fail "writers of one page"; done
# Results of other seeds stay on the page.
"$program" reproduce fig-gp2 --fidelity smoke --configs "$configs" --out "$folder/others" --seeds 5 > /dev/null 2>&1
"$program" reproduce fig-phi --fidelity smoke --configs "$configs" --out "$folder/others" > /dev/null 2>&1
grep -q '^gp2: 1 seeds' "$folder/others/tables.txt" || fail "results of other seeds left the page"

# What is wrong is said.
expect() {  # WORDS ARGUMENTS...
  local words=$1 code=0
  shift
  "$program" "$@" > "$folder/out" 2>&1 || code=$?
  [ "$code" = 2 ] || fail "$*: exit code $code"
  grep -q -- "$words" "$folder/out" || fail "$*: $(cat "$folder/out")"
}
expect "did you mean table1" reproduce tabel1 --configs "$configs"
expect "allowed: i/k" reproduce table1 --shard 4/3 --configs "$configs"
expect "no published.json" reproduce table1 --configs /nowhere
expect "did you mean drop_wave.lbfgs" reproduce table1 --variants drop_wave.lbfg --configs "$configs"
expect "allowed: all, gp1.added" reproduce table1 --variants gp1 --configs "$configs"
expect "varies drop_wave, which nothing in NAME" reproduce fig-gp2 --variants drop_wave.lbfgs \
    --configs "$configs"
touch "$folder/file"
expect "Not a directory.*another folder with --out" reproduce fig-gp2 --fidelity smoke \
    --configs "$configs" --out "$folder/file"
expect "no folder" collect table1 --fidelity smoke --configs "$configs" --out "$folder/misspelt"
[ ! -e "$folder/misspelt" ] || fail "collect makes a folder"
# Names that a shell would read otherwise.
mkdir "$folder/it's"
cp "$configs"/* "$folder/it's"
"$program" reproduce fig-gp2 --fidelity smoke --configs "$folder/it's" --out "$folder/it's/out" --list \
    | head -1 | bash > /dev/null 2>&1 || fail "a listed command with an apostrophe"
# A seed that fails: the others go on, the exit code is 1.
mkdir "$folder/failing"
cp "$configs"/* "$folder/failing"
sed -i 's/^objective:.*/objective: {type: command, command: ["false"]}/' "$folder/failing/drop_wave.yaml"
code=0
"$program" reproduce fig-dropwave fig-gp2 --fidelity smoke --configs "$folder/failing" \
    --out "$folder/failing/out" > "$folder/out" 2>&1 || code=$?
[ "$code" = 1 ] || fail "a failed seed: exit code $code"
grep -q 'drop_wave: seed 0 failed' "$folder/out" || fail "a failed seed is not named"
grep -q '^gp2: 2 seeds' "$folder/out" || fail "the recipes after a failed one"
# An interrupt, and a second process in the same folder while the first one runs.
"$program" reproduce table1 --fidelity quick --configs "$configs" --out "$folder/stopped" \
    > "$folder/stopped.out" 2>&1 &
first=$!
for _ in $(seq 100); do
  [ -e "$folder/stopped/synthetic/seed-0000" ] && break
  sleep 0.1
done
for _ in $(seq 300); do
  [ -e "$folder/stopped/gp1/manifest.json" ] && break
  sleep 0.1
done
expect "is being written to by" reproduce table1 --fidelity quick --configs "$configs" --out "$folder/stopped"
kill -INT $first
code=0
wait $first || code=$?
[ "$code" = 130 ] || fail "an interrupt: exit code $code: $(cat "$folder/stopped.out")"
grep -q 'the same command goes on' "$folder/stopped.out" || fail "an interrupt does not say how to go on"
# A file of published numbers that is not whole.
mkdir "$folder/configs"
cp "$configs"/* "$folder/configs"
expect_published() {  # WORDS PATTERN REPLACEMENT
  sed "0,/$2/s//$3/" "$configs/published.json" > "$folder/configs/published.json"
  expect "$folder/configs/published.json: $1" reproduce table1 --fidelity smoke \
      --configs "$folder/configs" --out "$folder/none"
}
expect_published "no JSON at byte" "{" "["
expect_published "key /table1/columns/0: found nothing" '"table1"' '"table_1"'
expect_published "key /table2/est/0/value: found nothing" '"value"' '"values"'
expect_published "key /large_scale/steps: found nothing" '"large_scale"' '"large"'
echo "reproduce.sh: all passed"
