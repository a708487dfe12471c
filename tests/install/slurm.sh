#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# slurm.sh PROGRAM CONFIGS SBATCH: the job array of docs/reproduce.sbatch on a real Slurm controller
# and node, which are started on the loopback interface and stopped at the end: table1 in three
# tasks, of which one is killed in its middle and submitted again, must come to what one run comes
# to. Then the same through GNU parallel, where that is installed.
#
# Takes root, a cgroup mount and the packages below. Without them it says "not run" and exits with
# 77; a part that was not run is named in the last line. Configuration, key, spool and logs lie in a
# temporary folder, which is kept if the test fails.
set -u -o pipefail
program=$(readlink -f -- "${1:?usage: slurm.sh PROGRAM CONFIGS SBATCH}") || exit 2
configs=$(readlink -f -- "${2:?usage: slurm.sh PROGRAM CONFIGS SBATCH}") || exit 2
sbatch_file=$(readlink -f -- "${3:?usage: slurm.sh PROGRAM CONFIGS SBATCH}") || exit 2
readonly packages="slurmctld slurmd slurm-client munge"
PATH=$PATH:/usr/sbin:/sbin

not_run() {
  echo "slurm.sh: not run: $*"
  exit 77
}
[ "$(id -u)" = 0 ] || not_run "takes root"
for tool in munged slurmctld slurmd sbatch squeue scancel scontrol sinfo; do
  command -v "$tool" >/dev/null || not_run "no $tool; apt-get install $packages"
done
grep -q ' /sys/fs/cgroup' /proc/mounts || not_run "no cgroup mount"

# Readable for all, as the socket of munge is; what is private has a folder of its own.
folder=$(mktemp -d) || exit 2
chmod 755 "$folder"
mkdir -m 700 "$folder/key" "$folder/logs" "$folder/state" "$folder/spool" "$folder/tasks"
daemons=()
is_passed=0
clean_up() {
  local pid
  scancel --user=root 2>/dev/null
  for pid in $(cat "$folder"/tasks/* 2>/dev/null); do
    if grep -qs -- "$folder" "/proc/$pid/cmdline"; then kill -KILL "$pid"; fi  # still a task
  done
  wait_until 30 no_jobs
  # The last started first: munge is needed to the end.
  for ((i = ${#daemons[@]} - 1; i >= 0; --i)); do
    pid=${daemons[i]}
    kill "$pid" 2>/dev/null
    wait_until 10 is_gone "$pid" || kill -KILL "$pid" 2>/dev/null
  done
  if [ "$is_passed" = 1 ]; then rm -rf -- "$folder"; else echo "slurm.sh: see $folder" >&2; fi
}
fail() {
  echo "slurm.sh: $*" >&2
  tail -n 5 "$folder"/logs/*.log "$folder"/logs/*.out >&2 2>/dev/null
  exit 1
}

# wait_until SECONDS COMMAND...: looks ten times a second.
wait_until() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}
is_gone() { ! kill -0 "$1" 2>/dev/null; }
no_jobs() { [ -z "$(squeue --noheader 2>/dev/null)" ]; }
is_idle() { [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ]; }
exists() { compgen -G "$1" >/dev/null; }
state_of() { scontrol show job "$1" 2>/dev/null | grep -o 'JobState=[A-Z_]*' | cut -d= -f2; }
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 20000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

start() {  # NAME COMMAND...
  "${@:2}" >"$folder/logs/$1.log" 2>&1 </dev/null &
  daemons+=($!)
}

export SLURM_CONF=$folder/slurm.conf
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

head -c 1024 /dev/urandom >"$folder/key/munge.key"
chmod 400 "$folder/key/munge.key"
cat >"$SLURM_CONF" <<CONF
ClusterName=pomlux
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1
ReturnToService=2
KillWait=5
MinJobAge=600
NodeName=localhost NodeAddr=127.0.0.1 CPUs=2 RealMemory=65536
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
CONF
echo "IgnoreSystemd=yes" >"$folder/cgroup.conf"

start munged munged --foreground --socket="$folder/munge.socket" --key-file="$folder/key/munge.key" \
  --pid-file="$folder/munged.pid" --seed-file="$folder/key/seed" --log-file="$folder/logs/munge.log"
wait_until 30 test -S "$folder/munge.socket" || fail "munged does not start"
start slurmctld slurmctld -D -i
start slurmd slurmd -D -N localhost
wait_until 60 is_idle || fail "the node does not come up: $(sinfo --noheader 2>&1)"

# The program, which leaves the process of every task.
cat >"$folder/pomlux" <<TASK
#!/bin/sh
echo \$\$ >"$folder/tasks/\$SLURM_ARRAY_TASK_ID"
exec "$program" "\$@"
TASK
chmod 755 "$folder/pomlux"
export POMLUX=$folder/pomlux
common=(table1 --fidelity smoke --seeds 0-2 --configs "$configs")
submit() {  # OPTIONS... ; the job's number
  sbatch --parsable --chdir="$folder" --output="$folder/logs/%A_%a.out" "$@" "$sbatch_file" \
    "${common[@]}" --out "$folder/array"
}
cells() { "$program" collect "${common[@]}" --format csv --out "$1" 2>"$folder/logs/collect.log"; }

"$program" reproduce "${common[@]}" --out "$folder/whole" --threads 1 --jobs 1 \
  >"$folder/logs/whole.log" 2>&1 || fail "the run in one piece failed"
cells "$folder/whole" >"$folder/whole.csv" || fail "collect of the run in one piece failed"
[ -s "$folder/whole.csv" ] || fail "collect printed nothing"

# Three tasks on two processors; the second is killed when its first seed is done.
job=$(submit --array=1-3) || fail "sbatch refused the array"
wait_until 120 grep -qs 'seed .* done' "$folder/logs/${job}_2.out" || fail "the second task does nothing"
kill -KILL "$(cat "$folder/tasks/2")" || fail "the second task cannot be killed"
wait_until 600 no_jobs || fail "the array does not end: $(squeue --noheader)"
[ "$(state_of "${job}_2")" = FAILED ] || fail "the killed task is $(state_of "${job}_2")"
for task in 1 3; do
  [ "$(state_of "${job}_$task")" = COMPLETED ] || fail "task $task: $(state_of "${job}_$task")"
done

# What is there is collected, and what is missing is said; it is not taken for the whole.
cells "$folder/array" >"$folder/part.csv" || fail "collect of a part failed"
! cmp -s "$folder/part.csv" "$folder/whole.csv" || fail "the killed task had already ended"
"$program" collect "${common[@]}" --out "$folder/array" 2>/dev/null | grep -q 'missing seeds: ' ||
  fail "collect names no missing seeds"

# A part of an array does not know how many shards there are, and says so.
job=$(submit --array=2) || fail "sbatch refused the second task"
wait_until 60 no_jobs || fail "the task does not end"
[ "$(state_of "${job}_2")" = FAILED ] || fail "a part of an array ran without POMLUX_SHARDS"
grep -q POMLUX_SHARDS "$folder/logs/${job}_2.out" || fail "the task does not ask for POMLUX_SHARDS"

job=$(POMLUX_SHARDS=3 submit --array=2) || fail "sbatch refused the second task"
wait_until 600 no_jobs || fail "the task submitted again does not end"
[ "$(state_of "${job}_2")" = COMPLETED ] || fail "submitted again, it is $(state_of "${job}_2")"
cells "$folder/array" >"$folder/array.csv" || fail "collect of the array failed"
cmp "$folder/array.csv" "$folder/whole.csv" || fail "the array differs from the run in one piece"

# The whole array again computes nothing again.
touch "$folder/before"
submit --array=1-3 >/dev/null || fail "sbatch refused the array the second time"
wait_until 600 no_jobs || fail "the array does not end the second time"
again=$(find "$folder/array" -name pom.csv -newer "$folder/before")
[ -z "$again" ] || fail "computed again: $again"
cells "$folder/array" | cmp - "$folder/whole.csv" || fail "counted twice"
summary="job array: passed"

if command -v parallel >/dev/null; then
  mkdir "$folder/bin"
  ln -s "$program" "$folder/bin/pomlux"
  "$program" reproduce "${common[@]}" --out "$folder/lines" --list |
    HOME=$folder PATH=$folder/bin:$PATH parallel --will-cite -j 2 >"$folder/logs/parallel.log" 2>&1 ||
    fail "GNU parallel: $? commands failed"
  cells "$folder/lines" | cmp - "$folder/whole.csv" || fail "GNU parallel comes to another table"
  summary+="; GNU parallel: passed"
else
  summary+="; GNU parallel: not run, as it is not installed"
fi
is_passed=1
echo "slurm.sh: $summary"
