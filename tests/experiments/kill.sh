#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kill.sh PROGRAM: SIGKILL at 20 random moments of runs that are resumed each time, and a comparison
# of what is left, byte for byte but for times, with a run that nobody disturbed.
set -u -o pipefail
export LC_ALL=C

program=$(readlink -f -- "$1") || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch" || exit 1

cat >trial.yaml <<'END'
name: trial
objective: {type: drop_wave, noise_stddev: 0.1}
domain: {type: grid, lower: [-2.5, -2.5], upper: [2, 2], points: [15, 15]}
model: {kernel: {type: matern52}, standardize: true, fit: {every: 3}}
acquisition: {type: ts}
budget: {initial: 5, steps: 35}
track: {estimators: [f_lite, {type: ts_mc, samples: 100}]}
seeds: [0, 1]
END

# lasting FILE: without the columns that measure time; no cell of these files holds a comma.
lasting() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) keep[i] = $i !~ /_seconds$/ }
           { for (i = 1; i <= NF; ++i) if (keep[i]) printf "%s,", $i; print "" }' "$1"
}
compare() {
  local file
  for file in summary.csv seed-000{0,1}/{steps,pom,posterior}.csv; do
    cmp <(lasting "whole/$file") <(lasting "$1/$file") || { echo "FAILED: $1/$file differs"; exit 1; }
  done
}

begin=$(date +%s%N)
"$program" run trial.yaml --out whole --jobs 1 2>/dev/null >/dev/null || { echo 'FAILED: whole run'; exit 1; }
whole_ms=$((($(date +%s%N) - begin) / 1000000))
RANDOM=20
kills=0
runs=0
while [ "$kills" -lt 20 ]; do
  runs=$((runs + 1))
  [ "$runs" -le 200 ] || { echo "FAILED: only $kills kills in 200 runs"; exit 1; }
  # Within the time that a whole run takes, reading and report included.
  wait_ms=$((RANDOM % whole_ms + 1))
  "$program" run trial.yaml --out parts --resume --jobs 1 --threads $((runs % 3 + 1)) >/dev/null 2>err &
  process=$!
  sleep "$((wait_ms / 1000)).$(printf '%03d' $((wait_ms % 1000)))"
  kill -9 "$process" 2>/dev/null
  wait "$process" 2>/dev/null
  code=$?
  if [ "$code" = 137 ]; then
    kills=$((kills + 1))
  elif [ "$code" = 0 ]; then
    compare parts
    rm -rf parts
  else
    echo "FAILED: exit code $code: $(cat err)"
    exit 1
  fi
done
"$program" run trial.yaml --out parts --resume --jobs 1 >/dev/null 2>err || { cat err; exit 1; }
compare parts
echo "$kills kills in $runs runs; all results agree"
