#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# program.sh PROGRAM: what users do to the program, and what may go wrong around it: exit codes,
# streams, folders, signals, files of candidates. Every check prints what it expected.
set -u -o pipefail
export LC_ALL=C

program=$(readlink -f -- "$1") || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch" || exit 1
failures=0

fault() {
  printf 'FAILED line %s: %s\n' "${BASH_LINENO[1]}" "$1"
  failures=$((failures + 1))
}

# expect CODE COMMAND...: the command ends with this code; its streams are in ./out and ./err.
expect() {
  local wanted=$1 code
  shift
  "$@" >out 2>err </dev/null
  code=$?
  [ "$code" = "$wanted" ] || fault "exit code $code instead of $wanted: $* ($(head -n 3 err))"
}
# says FILE TEXT...: the file holds each of these texts.
says() {
  local file=$1 text
  shift
  for text in "$@"; do
    grep -qF -e "$text" -- "$file" || fault "'$text' is not in $file: $(head -n 5 -- "$file")"
  done
}
same() { [ "$1" = "$2" ] || fault "found '$1' instead of '$2'"; }
rows() { tail -n +2 -- "$1" | wc -l; }
# column NAME FILE: the cells of a column; no cell of these files holds a comma.
column() {
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) c = i; next }
                        { print $c }' "$2"
}
# lasting FILE: without the columns that measure time.
lasting() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) keep[i] = $i !~ /_seconds$/ }
           { for (i = 1; i <= NF; ++i) if (keep[i]) printf "%s,", $i; print "" }' "$1"
}
# same_results A B: two results folders agree in everything but times.
same_results() {
  local file
  for file in summary.csv $(cd "$1" && ls seed-*/*.csv); do
    cmp -s <(lasting "$1/$file") <(lasting "$2/$file") || fault "$1/$file and $2/$file differ"
  done
}

cat >trial.yaml <<'END'
name: trial
objective: {type: drop_wave, noise_stddev: 0.1}
domain: {type: grid, lower: [-2.5, -2.5], upper: [2, 2], points: [9, 9]}
budget: {initial: 4, steps: 6, repeats: true}
track: {estimators: [f_lite]}
seeds: [0, 1]
END

# --- usage -------------------------------------------------------------------------------------
expect 2 "$program" pom - --samples 1e6
says err '--samples = 1e6' 'whole number'
expect 2 "$program"
says err 'a command is missing'
same "$(wc -c <out)" 0
expect 2 "$program" frob
expect 2 "$program" run --frob trial.yaml
says err '--frob'
expect 2 "$program" run nowhere.yaml
says err 'nowhere.yaml: no such file'
mkdir folder
expect 2 "$program" run folder
says err 'folder: is a directory'
expect 2 "$program" run trial.yaml --jobs 0
expect 2 "$program" list nothing
for command in '' run validate list schema report pom evaluate; do
  expect 0 "$program" $command --help
  says out 'Usage: pomlux'
done
expect 0 "$program" --version
says out 'pomlux ' 'compiler: ' 'instruction set: ' 'eigen: ' 'yaml-cpp: '
expect 0 "$program" --version --deterministic-math
says out 'instruction set: baseline'
expect 2 "$program" run configs/none.yaml --seeds ''
says err '--seeds: is empty'
expect 2 "$program" pom none.csv --seed -1
says err "--seed: found '-1'; allowed"

# --- configuration -----------------------------------------------------------------------------
expect 0 "$program" validate trial.yaml
expect 2 "$program" validate trial.yaml --set budget.steps=abc --set model.kernl=3 \
  --set 'seeds=[1, 1]'
says err '--set budget.steps=abc' "did you mean 'kernel'?" 'the seed 1 twice' '3 faults'
for seeds in -1 1.5 18446744073709551616 5-2; do
  expect 2 "$program" run trial.yaml --seeds="$seeds" --out never
done
[ ! -e never ] || fault 'a refused run left a folder'
expect 2 "$program" validate trial.yaml --set 'domain.points=[1000000, 1000000]'
says err '1.6e+13 bytes'
expect 0 "$program" schema
says out '"$schema"' '"matern52"'

# --- a run, and the same again -----------------------------------------------------------------
expect 0 "$program" run trial.yaml --out a --jobs 1 --threads 1
says out a 'best observed' 'best by mean'
says err 'budget of 10 evaluations used'
for file in experiment.yaml manifest.json summary.csv report.html seed-0001/posterior.csv; do
  [ -s "a/$file" ] || fault "a/$file is missing"
done
[ ! -e a/.lock ] || fault 'the lock was left behind'
same "$(rows a/seed-0000/steps.csv)" 10
same "$(rows a/seed-0000/posterior.csv)" 81
expect 0 "$program" run trial.yaml --out b --jobs 2 --threads 8
same_results a b
expect 0 env LC_ALL=de_DE.UTF-8 "$program" run trial.yaml --out c --threads 2
same_results a c
expect 0 "$program" run a/experiment.yaml --out d
same_results a d
expect 0 "$program" run trial.yaml --out other --seeds 7
cmp -s <(column candidate a/seed-0000/steps.csv | head -n 4) \
  <(column candidate other/seed-0007/steps.csv | head -n 4) && fault 'another seed, the same design'
expect 0 "$program" run trial.yaml --out largest --seeds 18446744073709551615 --set budget.steps=1
[ -d largest/seed-18446744073709551615 ] || fault 'the largest seed has no folder'
sed -i '/^seeds/d' trial.yaml
expect 0 "$program" run trial.yaml --out drawn --set budget.steps=1
grep -qE '^seeds: \[[0-9]+\]$' drawn/experiment.yaml || fault 'the drawn seed is not recorded'
printf 'seeds: [0, 1]\n' >>trial.yaml

# --- estimators on random vectors, without an objective -----------------------------------------
cat >vectors.yaml <<'END'
type: estimation
vectors: {type: synthetic, sizes: [2, 9, 33], mean: [0, 5], stddev: [0.5, 10]}
track: {estimators: [est, f_lite, {type: ts_mc, samples: 100}, independence], truth: independence}
published: [{estimator: f_lite, mean: 4.65, standard_error: 0.08}]
seeds: 0-2
END
expect 0 "$program" validate vectors.yaml
says out '3 seeds, 3 vectors each'
expect 0 "$program" run vectors.yaml --out v1 --jobs 1 --threads 1
says out 'total variation to independence, percent: mean +- standard error over 3 seeds' published \
  '4.65 +- 0.08'
says err 'all 3 vectors done'
for file in experiment.yaml manifest.json summary.csv report.html figures/total_variation.svg; do
  [ -s "v1/$file" ] || fault "v1/$file is missing"
done
same "$(rows v1/seed-0002/steps.csv)" 3
same "$(rows v1/seed-0002/pom.csv)" 12
expect 0 "$program" run v1/experiment.yaml --out v2 --jobs 3 --threads 8
same_results v1 v2
expect 0 "$program" run vectors.yaml --out v1
says err 'finished results of this configuration'
expect 2 "$program" run vectors.yaml --out v1 --set 'vectors.sizes=[2, 9]'
says err 'holds results of another configuration' --overwrite
expect 0 "$program" run vectors.yaml --out v1 --set 'vectors.sizes=[2]' --overwrite
[ ! -e v1/figures/total_variation.svg ] || fault 'the figure of the earlier run was left'
expect 2 "$program" run trial.yaml --out v1
says err 'holds results of another configuration'
expect 2 "$program" predict vectors.yaml --data v1/summary.csv
says err "predict: the configuration 'vectors' is of type estimation"
expect 2 "$program" evaluate vectors.yaml --at v1/summary.csv
says err "evaluate: the configuration 'vectors' is of type estimation"

# --- results of which something is gone ---------------------------------------------------------
sed -i '$d' d/seed-0000/posterior.csv
rm d/seed-0001/steps.csv
expect 0 "$program" report d
says err 'seed-0000/posterior.csv has 80 rows instead of at least 81' 'seed-0001/steps.csv is missing'
expect 0 "$program" run trial.yaml --out d
says err 'seed-0001/steps.csv is missing'
rm -r d/seed-0000
expect 0 "$program" report d
says d/report.html 'seed-0000 is missing'

# --- studies ------------------------------------------------------------------------------------
expect 2 "$program" ask nowhere
says err 'study.yaml'
mkdir bench
printf '%s\n' 'objective: {type: manual, sense: minimize}' 'name: bench' 'seeds: 4' \
  'domain: {type: grid, lower: [-2, -2], upper: [2, 2], points: [9, 9]}' 'budget: {initial: 2}' \
  >bench/study.yaml
expect 0 "$program" ask bench -q 2 --format csv
same "$(rows out)" 2
says out 'trial,candidate,x_0,x_1,phase'
expect 0 "$program" tell bench -.5,-1 -2.5
says err 'trial 2 (x_0 = -0.5, x_1 = -1): -2.5; 1 told, 2 pending; best -2.5'
same "$(wc -c <out)" 0
expect 0 "$program" tell bench -- -1,1 -2
says err 'trial 3 (x_0 = -1, x_1 = 1): -2; 2 told, 2 pending; best -2.5'
expect 0 "$program" tell bench 1,-1 -- -1
says err 'trial 4 (x_0 = 1, x_1 = -1): -1; 3 told, 2 pending; best -2.5'
expect 0 "$program" tell bench --trial 0 failed --reason 'no water'
expect 0 "$program" tell bench --trial 1 1e-1
expect 2 "$program" tell bench 0.3,0 1
says err 'the nearest is (x_0 = 0.5, x_1 = 0)'
expect 0 "$program" ask bench --format json
says out '"phase":"acquisition"'
expect 0 "$program" status bench
says out 'best observed' -2.5
printf 'x_0,x_1\n-0.5,-1\n1,1\n' >bench/at.csv
expect 0 "$program" predict bench --at bench/at.csv --format csv
says out pom_f_lite
expect 2 "$program" run bench/study.yaml --set budget.steps=1 --out never
says err 'pomlux ask'
[ ! -e never ] || fault 'a folder for a run that cannot be'
sed -i 's/minimize/maximize/' bench/study.yaml
expect 2 "$program" ask bench
says err 'objective.sense: minimize there, maximize here'

# --- folders that are taken --------------------------------------------------------------------
expect 0 "$program" run trial.yaml --out a
says err 'finished results of this configuration'
expect 2 "$program" run trial.yaml --out a --set budget.steps=7
says err 'budget.steps: 6 there, 7 here' --resume --overwrite --out
expect 0 "$program" run trial.yaml --out a --set budget.steps=7 --overwrite
same "$(rows a/seed-0000/steps.csv)" 11
mkdir precious && touch precious/thesis.tex
expect 2 "$program" run trial.yaml --out precious --overwrite
says err 'not a results folder'
same "$(ls precious)" thesis.tex
mkdir a/seed-notes && echo mine >a/seed-notes/list.txt
expect 0 "$program" run trial.yaml --out a --overwrite
same "$(cat a/seed-notes/list.txt)" mine
mkdir begun && cp a/experiment.yaml begun
expect 2 "$program" run trial.yaml --out begun
says err 'not finished' --overwrite
expect 0 "$program" run trial.yaml --out begun --overwrite
sed -i 's/"status": "done"/"status": 3/' begun/manifest.json
expect 2 "$program" run trial.yaml --out begun
says err 'not finished' begun/manifest.json
expect 2 "$program" run trial.yaml --out /dev/full
says err /dev/full
expect 2 "$program" run trial.yaml --out /proc/nowhere
says err /proc/nowhere 'give another folder with --out'
expect 0 "$program" run trial.yaml --out 'mit Leerzeichen und ü'
[ -s 'mit Leerzeichen und ü/report.html' ] || fault 'blanks and umlauts in the path'

# --- standard output ---------------------------------------------------------------------------
"$program" list 2>err | head -n 1 >out || fault "list | head: $(cat err)"
same "$(wc -c <err)" 0
"$program" list >/dev/full 2>err && fault 'success on a full disk'
says err 'No space left'
"$program" run trial.yaml --out full >/dev/full 2>err && fault 'success on a full disk'
"$program" run trial.yaml --out closed >&- 2>err && fault 'success without standard output'
same "$(head -c 4 closed/seed-0000/steps.csv)" step

# --- small domains -----------------------------------------------------------------------------
four='domain={type: list, points: [[0, 0], [0.5, 0], [1, 1], [2, 2]]}'
expect 0 "$program" run trial.yaml --out four --set "$four" \
  --set 'budget={initial: 1, steps: 10}'
says err 'domain exhausted'
same "$(column candidate four/seed-0000/steps.csv | sort | tr '\n' ' ')" '0 1 2 3 '
expect 0 "$program" run trial.yaml --out again --set "$four" \
  --set 'budget={initial: 1, steps: 9, repeats: true}'
same "$(rows again/seed-0000/steps.csv)" 10
expect 0 "$program" run trial.yaml --out one --set 'domain.points=[1, 1]' --set 'budget={steps: 3}'
same "$(column pom_f_lite one/seed-0000/posterior.csv)" 1
same "$(rows one/seed-0000/steps.csv)" 1
expect 0 "$program" run trial.yaml --out axis \
  --set 'domain={type: grid, lower: [1, -1.3], upper: [1, 2.9], points: [1, 15]}' \
  --set 'budget={initial: 2, steps: 3}'
same "$(column x_1 axis/seed-0000/posterior.csv | sed -n '1p;15p' | tr '\n' ' ')" '-1.3 2.9 '
expect 2 "$program" validate trial.yaml --set 'domain.points=[0, 9]'
expect 2 "$program" validate trial.yaml --set 'domain={type: list, points: []}'
expect 2 "$program" validate trial.yaml --set 'domain.upper=[-3, 2]'

# --- candidates from a file --------------------------------------------------------------------
mkdir -p elsewhere/data
printf '\xef\xbb\xbfwidth, height\r\n0,0\r\n0.5,0.25\r\n# a remark\r\n1,1\r\n\r\n' \
  >elsewhere/data/candidates.csv
sed 's|^domain:.*|domain: {type: file, path: data/candidates.csv}|; s|initial: 4|initial: 2|' \
  trial.yaml >elsewhere/file.yaml
expect 0 "$program" run elsewhere/file.yaml --out file
same "$(head -n 1 file/seed-0000/posterior.csv | cut -d, -f 1-4)" candidate,width,height,mean
same "$(rows file/seed-0000/posterior.csv)" 3
mv elsewhere gone
expect 0 "$program" run file/experiment.yaml --out file2
same_results file file2
expect 0 "$program" run file/experiment.yaml --out file --overwrite
[ -s file/candidates.csv ] || fault 'overwriting removed the candidates it needs'
for line in '1' 'abc,1' '1,nan' '1,'; do
  printf 'width,height\n0,0\n%s\n' "$line" >gone/data/candidates.csv
  expect 2 "$program" validate gone/file.yaml
  says err 'gone/data/candidates.csv:3'
done
printf 'width,height\n' >gone/data/candidates.csv
expect 2 "$program" validate gone/file.yaml

# --- somebody else's program as the objective ---------------------------------------------------
mkdir lab
cat >lab/simulate.sh <<'END'
#!/bin/sh
# At the fifth call it does what the variable FIFTH says.
echo "$*" >>calls
[ "$(wc -l <calls)" != 5 ] || eval "$FIFTH"
awk -v x="$1" 'BEGIN { print (x - 0.3) ^ 2 }'
END
chmod 755 lab/simulate.sh
cat >lab/lab.yaml <<'END'
objective: {type: command, command: [./simulate.sh, "{x}"], sense: minimize, timeout: 1}
domain: {type: grid, names: [x], lower: [0], upper: [1], points: [21]}
budget: {initial: 3, steps: 4}
seeds: [0]
END
# lab CODE FIFTH OPTION...: a run with that end and that fifth call.
lab() {
  local code=$1 fifth=$2
  shift 2
  rm -rf lab/calls lab/out
  FIFTH=$fifth expect "$code" "$program" run lab/lab.yaml --out lab/out "$@"
}
steps=lab/out/seed-0000/steps.csv
lab 0 true
same "$(rows "$steps")" 7
same "$(column x "$steps")" "$(cat lab/calls)"
lab 1 'exit 3'
same "$(rows "$steps")" 4
says err 'step 4 (candidate ' 'x = ' 'exit code 3'
lab 0 'exit 3' --set objective.on_failure=skip
same "$(column state "$steps" | tr '\n' ' ')" 'told told told told failed told told '
same "$(column candidate "$steps" | sort | uniq -d)" ''
says err 'warning: seed 0: 1 of 7 evaluations failed'
same "$(column failed_evaluations lab/out/summary.csv)" 1
# refused PRINTED QUOTED: what is printed is a failure that quotes it, and never a value.
refused() {
  lab 1 "printf '$1'; exit 0"
  same "$(rows "$steps")" 4
  says err "printed $2"
}
refused nan "'nan'"
refused 12,5 "'12,5'"
refused '12.5 kg' "'12.5 kg'"
refused '1\n2' "'1\\x0a2' (more than one line)"
refused '' 'nothing'
seconds=$SECONDS
lab 1 'sleep 61 & sleep 62'
says err 'took more than 1 s'
[ $((SECONDS - seconds)) -lt 30 ] || fault 'the timeout came late'
lab 0 'printf -- -1e999; exit 0' --set objective.on_failure=penalise --set objective.penalty=4
same "$(column value "$steps" | sed -n 5p)" 4
says "$steps" penalised
lab 1 true --set objective.on_failure=skip --set 'objective.command=[false]'
says err 'all 7 evaluations failed'
expect 2 "$program" validate lab/lab.yaml --set 'objective.command=[no-such-program]'
says err "'no-such-program' is not in PATH: $PATH"
rm -f lab/calls
printf 'x\n0.3\n0.5\n' | "$program" evaluate lab/lab.yaml --at - --format csv >out 2>err ||
  fault "evaluate: $(cat err)"
same "$(cat out)" "$(printf 'x,value,noise_stddev\n0.3,0,\n0.5,0.04,')"
printf 'x\n0.3\nabc\n' >points.csv
expect 2 "$program" evaluate lab/lab.yaml --at points.csv
says err 'points.csv:3: column x'
printf 'x\n0.3\n0.5\n' >points.csv
expect 1 "$program" evaluate lab/lab.yaml --at points.csv --set 'objective.command=[false]'
says err 'points.csv:2: ' 'points.csv:3: ' '2 evaluations failed'
# Ctrl-C shows what there is.
printf 'x\n0.3\n0.5\n0.7\n' >points.csv
rm -f child
"$program" evaluate lab/lab.yaml --at points.csv --format csv --set objective.timeout=60 \
  --set objective.shell=true \
  --set "objective.command=test \$1 = 0.3 || { echo \$\$ >$scratch/child; exec sleep 65; }; echo 4" \
  >out 2>err </dev/null &
pid=$!
for ((i = 0; i < 200; ++i)); do [ -s child ] && break || sleep 0.05; done
kill -s INT "$pid"
wait "$pid"
same $? 130
same "$(cat out)" "$(printf 'x,value,noise_stddev\n0.3,4,')"
says err 'interrupted; 1 of 3 points done'
kill -0 "$(cat child)" 2>/dev/null && fault 'the child outlived evaluate'
# A run whose command does not listen to SIGTERM, and a first Ctrl-C.
interrupt_deaf_command() {
  rm -rf lab/out child
  "$program" run lab/lab.yaml --out lab/out --set objective.timeout=60 --set objective.shell=true \
    --set "objective.command=trap '' TERM; echo \$\$ >$scratch/child; sleep 63; sleep 64" \
    >out 2>err </dev/null &
  pid=$!
  for ((i = 0; i < 200; ++i)); do [ -s child ] && break || sleep 0.05; done
  kill -s INT "$pid"
}
# What an interrupted run had started ends with it, whether it listens or not.
interrupt_deaf_command
wait "$pid"
same $? 130
kill -0 "$(cat child)" 2>/dev/null && fault 'the child outlived the run'
same "$(column status lab/out/summary.csv)" interrupted
# So it does where the second signal ends the run at once.
interrupt_deaf_command
sleep 0.2
kill -s INT "$pid" 2>/dev/null
wait "$pid"
same $? 130
# It may wait for its new parent to notice.
alive() { [ -r "/proc/$1/stat" ] && ! grep -q ') Z ' "/proc/$1/stat" 2>/dev/null; }
for ((i = 0; i < 100; ++i)); do alive "$(cat child)" || break; sleep 0.05; done
alive "$(cat child)" && fault 'the child outlived the run that two signals ended'

# --- signals, and what a killed run leaves -----------------------------------------------------
# start OUT: a run of many steps in the background, under way when this returns.
start() {
  "$program" run trial.yaml --out "$1" --seeds 0 --set budget.steps=100000 >out 2>err </dev/null &
  pid=$!
  local i
  for ((i = 0; i < 200; ++i)); do
    [ -s "$1/seed-0000/steps.csv" ] && [ "$(rows "$1/seed-0000/steps.csv")" -gt 4 ] && return
    sleep 0.05
  done
  fault 'the run did not begin'
}
for signal in HUP:129 INT:130 TERM:143; do
  start "${signal%:*}"
  kill -s "${signal%:*}" "$pid"
  wait "$pid"
  same $? "${signal#*:}"
  says err interrupted "${signal%:*}"
  same "$(column status "${signal%:*}/summary.csv")" interrupted
  [ -s "${signal%:*}/seed-0000/posterior.csv" ] || fault 'no posterior after a signal'
  [ -s "${signal%:*}/report.html" ] || fault 'no report after a signal'
  says err --resume
done
steps=$(rows INT/seed-0000/steps.csv)
expect 2 "$program" run trial.yaml --out INT --resume --seeds 0 --set budget.steps=1
says err 'budget.steps: 100000 there'
cp -r INT resumed
sed -i 's/steps: 100000/steps: 1/' resumed/experiment.yaml
expect 0 "$program" run trial.yaml --out resumed --resume --seeds 0 --set budget.steps=$((steps + 2))
says err "goes on after $steps evaluations"
expect 0 "$program" run trial.yaml --out straight --seeds 0 --set budget.steps=$((steps + 2))
same_results straight resumed
expect 2 "$program" run trial.yaml --out resumed --resume --overwrite
trap '' HUP # as nohup does
start nohup
trap - HUP
kill -s HUP "$pid"
sleep 0.3
kill -s TERM "$pid" || fault 'a hang-up under nohup ended the run'
wait "$pid"
same $? 143
start killed
expect 2 "$program" run trial.yaml --out killed --overwrite
says err "process $pid on host"
kill -s KILL "$pid"
wait "$pid" 2>/dev/null
same "$(tail -c 1 killed/seed-0000/steps.csv | wc -l)" 1
expect 2 "$program" run trial.yaml --out killed --seeds 0 --set budget.steps=100000
says err 'not finished'
expect 0 "$program" report killed
expect 0 "$program" run trial.yaml --out killed --overwrite

[ "$failures" = 0 ] || {
  printf '%s checks failed\n' "$failures"
  exit 1
}
