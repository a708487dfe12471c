#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# debian_package_test.sh CPACK BUILD_DIR VERSION: packs the program, and runs it from the unpacked
# package.
set -u -o pipefail
cpack=$1 build=$2 version=$3
source_dir=$(dirname -- "$(readlink -f -- "$0")")/../..
scratch=$(mktemp -d) || exit 1
trap 'rm -rf -- "$scratch"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

for tool in dpkg-deb dpkg-shlibdeps gzip; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install dpkg-dev gzip"; exit 1; }
done
"$cpack" -G DEB --config "$build/CPackConfig.cmake" -B "$scratch/packed" >"$scratch/log" 2>&1 || {
  cat "$scratch/log"
  exit 1
}
package=$scratch/packed/pomlux_${version}_$(dpkg --print-architecture).deb
[ -f "$package" ] || { echo "no $package, but:"; ls "$scratch/packed"; exit 1; }

field() {  # NAME EXPECTED, a pattern for the whole value
  local value
  value=$(dpkg-deb -f "$package" "$1")
  [[ $value =~ ^$2$ ]] || fail "$1 is '$value', not '$2'"
}
holder=$(sed -n 's/^Copyright (c) [0-9]* //p' "$source_dir/LICENSE")
field Package pomlux
field Version "$version"
field Section science
field Maintainer "$holder"
field Depends '.*libc6 \(>= .*libyaml-cpp.*'
field Depends '.*libtbb.*'

dpkg-deb -x "$package" "$scratch/root"
expected='usr/bin/pomlux usr/share/doc/pomlux/changelog.gz usr/share/doc/pomlux/copyright '
expected+='usr/share/man/man1/pomlux.1.gz '
found=$(cd "$scratch/root" && find . -type f -printf '%P\n' | sort | tr '\n' ' ')
[ "$found" = "$expected" ] || fail "the package has $found, not $expected"
cmp -- "$source_dir/LICENSE" "$scratch/root/usr/share/doc/pomlux/copyright" ||
  fail "the copyright file is not the licence"
modes=$(find "$scratch/root/usr" -type d ! -perm 755)
[ -z "$modes" ] || fail "not everyone may enter $modes"

program=$scratch/root/usr/bin/pomlux
cd -- "$scratch" || exit 1
# The manual page names every command.
page=$(gzip -dc "$scratch/root/usr/share/man/man1/pomlux.1.gz")
for command in $("$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\+\) .*/\1/p'); do
  grep -qxF ".B $command" <<<"$page" || fail "the manual page lacks $command"
done
"$program" --version | head -n 1 | grep -qxF "pomlux $version" || fail "--version: $("$program" --version)"
printf '%s\n' 'objective: {type: branin}' 'domain: {type: grid, points: [7, 7]}' \
  'budget: {initial: 4, steps: 2}' 'seeds: [1]' >trial.yaml
"$program" run trial.yaml --out results || fail "the run ended with $?"
[ -s results/report.html ] || fail "the run left no report"
[ "$failures" = 0 ] && echo "the package works"
