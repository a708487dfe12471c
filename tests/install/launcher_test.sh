#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The launcher, on a tree with a stub for the program and with stand-ins for apt-get and dpkg-query:
# what it passes on, what it says, when it builds, installs and refuses.
# launcher_test.sh [TEST...]: all, or those named.
set -u -o pipefail
source_dir=$(dirname -- "$(readlink -f -- "$0")")/../..
scratch=$(mktemp -d) || exit 1
trap 'chmod -R u+w -- "$scratch"; rm -rf -- "$scratch"' EXIT
tree="$scratch/a tree with späces"
failures=0

fail() {
  echo "FAILED: $*"
  [ ! -s "$scratch/err" ] || sed 's/^/    stderr: /' "$scratch/err" | tail -n 15
  failures=$((failures + 1))
}
check() { [ "$2" = "$3" ] || fail "$1: expected '$3', found '$2'"; }
err_has() { grep -qF -- "$1" "$scratch/err" || fail "${2:-stderr does not say} '$1'"; }

# launch ARGS...: the launcher in a bare environment; out, err and code are what came back. Variables
# before the call change launcher, place (working directory), mask (umask).
search_path=$PATH
launch() {
  (
    cd -- "${place:-/}" && umask "${mask:-022}" || exit 99
    exec env -i PATH="$search_path" HOME="$scratch" LANG=C.UTF-8 "${settings[@]}" \
      "${launcher:-$tree/pomlux}" "$@"
  ) >"$scratch/out" 2>"$scratch/err"
  code=$?
  out=$(<"$scratch/out")
}
settings=(POMLUX_NO_INSTALL=1)

make_tree() {
  mkdir -p -- "$tree/experiments" "$tree/cmake"
  cp -- "$source_dir"/{pomlux,packages.txt,CMakePresets.json} "$tree/"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.22)' 'project(stub LANGUAGES CXX)' \
    'add_subdirectory(experiments)' >"$tree/CMakeLists.txt"
  printf '%s\n' 'add_executable(pomlux_cli main.cpp)' \
    'set_target_properties(pomlux_cli PROPERTIES OUTPUT_NAME pomlux)' \
    >"$tree/experiments/CMakeLists.txt"
  write_program one
}
write_program() {  # TEXT: what its `text` prints
  cat >"$tree/experiments/main.cpp" <<END
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
int main(int argc, char** argv) {
  if (argc < 2) return 9;
  if (!std::strcmp(argv[1], "exit")) return std::atoi(argv[2]);
  if (!std::strcmp(argv[1], "text")) std::puts("$1");
  if (!std::strcmp(argv[1], "args")) for (int i = 2; i < argc; ++i) std::printf("<%s>", argv[i]);
  if (!std::strcmp(argv[1], "cat")) for (int c; (c = std::getchar()) != EOF;) std::putchar(c);
  if (!std::strcmp(argv[1], "here")) std::printf("%s", getcwd(nullptr, 0));
  if (!std::strcmp(argv[1], "wait")) {
    std::printf("%d", getpid());
    std::fflush(stdout);
    sleep(60);
  }
  return 0;
}
END
}
wait_until() {  # COMMAND...: succeeds
  for _ in {1..100}; do
    "$@" && return
    sleep 0.1
  done
  fail "not within ten seconds: $*"
}
built() { stat -c %Y.%y -- "$tree/build/release/experiments/pomlux" 2>/dev/null; }
# The time until the program runs, milliseconds; the least of three, as other work may disturb.
start_time() {
  local begin end least=1000000
  for _ in 1 2 3; do
    begin=$(date +%s%N)
    launch text
    end=$(date +%s%N)
    [ $(((end - begin) / 1000000)) -ge "$least" ] || least=$(((end - begin) / 1000000))
  done
  echo "$least"
}

test_first_call_builds() {
  launch text </dev/null
  check "exit of the first call" "$code" 0
  check "stdout is the program's alone" "$out" one
  err_has "building the program"
}

test_passes_through() {
  local word pid
  launch exit 42
  check "exit code" "$code" 42
  launch
  check "no arguments" "$code" 9
  launch args 'two words' '' '*' '--help' '-x=$HOME'
  check "arguments" "$out" '<two words><><*><--help><-x=$HOME>'
  launch cat < <(printf 'line\nwithout end')
  check "stdin" "$out" $'line\nwithout end'
  check "a quiet start" "$(<"$scratch/err")" ''
  for word in TERM:143 INT:130; do
    : >"$scratch/out"
    # A job in the background of a script ignores SIGINT, unless told otherwise.
    env --default-signal=INT "$tree/pomlux" wait >>"$scratch/out" 2>"$scratch/err" </dev/null &
    pid=$!
    wait_until test -s "$scratch/out"
    check "the program is the launcher's process" "$(<"$scratch/out")" "$pid"
    kill -"${word%:*}" "$pid"
    wait "$pid" 2>/dev/null
    check "SIG${word%:*}" $? "${word#*:}"
  done
}

test_second_call_is_quick() {
  local before milliseconds
  before=$(built)
  milliseconds=$(start_time)
  check "no rebuild" "$(built)" "$before"
  [ "$milliseconds" -lt 1000 ] || fail "the second call took $milliseconds ms to start"
}

test_any_place() {
  ln -sfn -- "$tree/pomlux" "$scratch/link"
  ln -sfn -- link "$scratch/link to link"
  launcher="$scratch/link to link" launch text
  check "through symbolic links" "$out" one
  settings+=(CDPATH="$tree:/")
  place=$scratch launcher="./a tree with späces/pomlux" launch text
  check "with CDPATH" "$out" one
  settings=(POMLUX_NO_INSTALL=1)
  place=$tree/experiments launcher=../pomlux launch here
  check "the working directory" "$out" "$tree/experiments"
  search_path=$tree:$PATH launcher=pomlux launch text
  check "found on PATH" "$out" one
  sh "$tree/pomlux" text >"$scratch/out" 2>"$scratch/err"
  check "called with sh" "$(<"$scratch/out")" one
}

test_rebuilds_what_changed() {
  local before
  write_program two
  launch text
  check "after a change of a source" "$out" two
  write_program '" TEXT "'
  echo 'target_compile_definitions(pomlux_cli PRIVATE TEXT="three")' \
    >>"$tree/experiments/CMakeLists.txt"
  launch text
  check "after a change of a CMake file" "$out" three
  printf '#define NEW 1\n' >"$tree/experiments/new.hpp"
  launch text
  check "after a new file" "$code $out" '0 three'
  before=$(built)
  cat >"$scratch/other-c++" <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "c++ other"; exit; }
exec c++ "$@"
END
  chmod +x "$scratch/other-c++"
  settings+=(CXX="$scratch/other-c++")
  launch text
  settings=(POMLUX_NO_INSTALL=1)
  check "with another compiler" "$code" 0
  [ "$(built)" != "$before" ] || fail "another compiler did not lead to another build"
  write_program one
  launch text
  check "back" "$out" one
}

test_failed_build() {
  local before
  before=$(built)
  echo 'int broken = ;' >>"$tree/experiments/main.cpp"
  launch text
  check "exit after a compile error" "$code" 1
  check "stdout after a compile error" "$out" ''
  err_has "error: expected primary-expression"
  err_has "$tree/build/release.log"
  launch text
  check "it does not run the old program" "$code" 1
  write_program one
  launch text
  check "after the repair" "$code $out" '0 one'
}

test_failed_configure() {
  rm -rf -- "$tree/build"
  echo 'message(FATAL_ERROR "no such thing")' >>"$tree/CMakeLists.txt"
  launch text
  [ "$code" = 1 ] || [ "$code" = 2 ] || fail "exit after a failed configure: $code"
  err_has "no such thing"
  sed -i '$d' "$tree/CMakeLists.txt"
  launch text
  check "after the repair" "$code $out" '0 one'
}

test_foreign_build_folder() {
  rm -rf -- "$tree/build"
  mkdir -p -- "$tree/build/release"
  printf '%s\n' 'CMAKE_GENERATOR:INTERNAL=Unix Makefiles' \
    'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere' >"$tree/build/release/CMakeCache.txt"
  launch text
  check "over another generator's cache" "$code $out" '0 one'
  mv -- "$tree" "$scratch/moved"
  launcher="$scratch/moved/pomlux" launch text
  check "after the tree was moved" "$code $out" '0 one'
  mv -- "$scratch/moved" "$tree"
  launch text
  check "after it was moved back" "$code $out" '0 one'
}

test_private_umask_and_read_only_home() {
  rm -rf -- "$tree/build"
  mkdir -p -- "$scratch/home"
  chmod a-w "$scratch/home"
  settings+=(HOME="$scratch/home")
  mask=077 launch text
  check "with umask 077 and a read-only home" "$code $out" '0 one'
  settings=(POMLUX_NO_INSTALL=1)
  [ -z "$(ls -A "$scratch/home")" ] || fail "something was written to the home folder"
}

test_one_builder_at_a_time() {
  local first second
  rm -rf -- "$tree/build"
  "$tree/pomlux" text >"$scratch/out1" 2>"$scratch/err1" </dev/null &
  first=$!
  "$tree/pomlux" text >"$scratch/out2" 2>"$scratch/err2" </dev/null &
  second=$!
  wait "$first" || fail "the first of two callers: exit $?"
  wait "$second" || fail "the second of two callers: exit $?"
  check "both run" "$(cat "$scratch/out1" "$scratch/out2")" $'one\none'
  check "one builds" "$(cat "$scratch/err1" "$scratch/err2" | grep -c 'building the program')" 1
  check "one waits" "$(cat "$scratch/err1" "$scratch/err2" | grep -c 'waiting for it')" 1
}

test_signal_during_build() {
  local pid word
  for word in TERM:143 HUP:129; do
    rm -rf -- "$tree/build"
    : >"$scratch/err"
    POMLUX_NO_INSTALL=1 env --default-signal=HUP "$tree/pomlux" text \
      >"$scratch/out" 2>"$scratch/err" </dev/null &
    pid=$!
    wait_until grep -q configuring "$scratch/err"
    kill -"${word%:*}" "$pid"
    wait "$pid"
    check "exit after SIG${word%:*} while building" $? "${word#*:}"
  done
  launch text
  check "the next call" "$code $out" '0 one'
}

test_no_permission() {
  [ "$(id -u)" != 0 ] || return 0
  rm -rf -- "$tree/build"
  chmod a-w "$tree"
  launch text
  chmod u+w "$tree"
  check "exit in a read-only tree" "$code" 1
  err_has "cannot write to"
}

test_test_command() {
  cp -- "$tree/CMakeLists.txt" "$scratch/CMakeLists.txt"
  cat >>"$tree/CMakeLists.txt" <<'END'
enable_testing()
add_test(NAME unit_test COMMAND pomlux_cli text)
add_test(NAME other_test COMMAND sh -c "exit $(cat verdict)" WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(unit_test PROPERTIES LABELS unit)
set_tests_properties(other_test PROPERTIES SKIP_RETURN_CODE 77)
END
  echo 0 >"$tree/verdict"
  launch test
  check "exit when all tests pass" "$code" 0
  check "the last line" "${out##*$'\n'}" "100% tests passed, 0 tests failed out of 2"
  err_has "unit tests under sanitizers: "
  echo 1 >"$tree/verdict"
  launch test
  check "exit when a test fails" "$code" 1
  echo 77 >"$tree/verdict"
  launch test
  check "exit when a test is skipped" "$code" 1
  err_has "skipped"
  launch test -R unit_test
  check "exit of chosen tests" "$code" 0
  [[ $out == *"100% tests passed, 0 tests failed out of 1"* ]] || fail "not the chosen test alone"
  launch test -R nothing
  [ "$code" != 0 ] || fail "no test at all passes"
  mv -- "$scratch/CMakeLists.txt" "$tree/"
}

# A PATH with stand-ins: dpkg-query knows the packages in $scratch/installed, apt-get installs into
# it and writes down how it was called.
stand_ins() {
  local name
  mkdir -p -- "$scratch/bin"
  for name in bash sh env awk sed grep xargs cat find touch mv rm mkdir tail head dirname readlink \
    flock nproc true cmake ninja c++ g++ gcc cc as ld ar ranlib uname sleep; do
    ln -sf -- "$(type -P "$name")" "$scratch/bin/$name"
  done
  cat >"$scratch/bin/dpkg-query" <<'END'
#!/bin/bash
for name in "$@"; do
  grep -qx -e "$name" "$STAND_IN/installed" && echo "installed $name"
done
exit 1
END
  cat >"$scratch/bin/apt-get" <<'END'
#!/bin/bash
echo "$*" >>"$STAND_IN/calls"
[ -z "$(cat)" ] || echo "apt-get could read" >>"$STAND_IN/calls"
case " $* " in
  *" update "*) touch "$STAND_IN/lists" ;;
  *" install "*)
    [ -f "$STAND_IN/lists" ] || { echo "E: Unable to locate package"; exit 100; }
    [ "$1" = -s ] || { echo "Setting up"; printf '%s\n' "$@" >>"$STAND_IN/installed"; } ;;
esac
END
  printf '#!/bin/bash\necho "${STAND_IN_ID:-0}"\n' >"$scratch/bin/id"
  chmod +x "$scratch/bin"/{dpkg-query,apt-get,id}
  search_path=$scratch/bin
  settings=(STAND_IN="$scratch")
  rm -rf -- "$scratch"/{calls,lists,installed} "$tree/build"
  printf '%s\n' g++ cmake ninja-build libeigen3-dev libboost-dev liblbfgspp-dev libtbb-dev \
    >"$scratch/installed"
}
no_stand_ins() {
  search_path=$PATH
  settings=(POMLUX_NO_INSTALL=1)
}

test_installs_what_is_missing() {
  local install
  stand_ins
  launch text < <(echo 'not for apt-get')
  check "exit" "$code" 0
  check "stdout" "$out" one
  err_has "these packages are missing"
  err_has "libyaml-cpp-dev     # program: configuration files"
  ! grep -qE '^pomlux: +libeigen3-dev' "$scratch/err" || fail "it names a package that is there"
  install='install --no-install-recommends libyaml-cpp-dev libcli11-dev nlohmann-json3-dev'
  check "apt-get calls" "$(sed -E 's/-o [^ ]+ //' "$scratch/calls")" \
    "-s $install"$'\n-y -q update\n'"-y -q $install"
  rm -rf -- "$tree/build" "$scratch/calls"
  launch text
  check "nothing is missing now" "$code $(cat "$scratch/calls" 2>/dev/null)" '0 '
  no_stand_ins
}

test_never_touches_the_system() {
  stand_ins
  settings+=(POMLUX_NO_INSTALL=1)
  launch text
  check "it builds with what is there" "$code $out" '0 one'
  [ ! -e "$scratch/calls" ] || fail "apt-get was called"
  rm -rf -- "$tree/build" "$scratch/bin/cmake"
  launch text
  check "without cmake" "$code" 2
  err_has "libyaml-cpp-dev"
  [ ! -e "$scratch/calls" ] || fail "apt-get was called"
  no_stand_ins
}

test_refuses_where_it_cannot_install() {
  stand_ins
  settings+=(STAND_IN_ID=1000)
  launch text
  check "neither root nor sudo" "$code" 2
  err_has "libcli11-dev"
  err_has "no sudo"
  printf '#!/bin/bash\n[ "$1" != -n ]\n' >"$scratch/bin/sudo"
  chmod +x "$scratch/bin/sudo"
  launch text
  check "sudo would ask, no terminal" "$code" 2
  printf '#!/bin/bash\n[ "$1" = -n ] && shift\nexec "$@"\n' >"$scratch/bin/sudo"
  launch text
  check "sudo does not ask" "$code $out" '0 one'
  rm -rf -- "$scratch/bin"/{apt-get,dpkg-query,sudo} "$tree/build"
  settings=(STAND_IN="$scratch")
  launch text
  check "another system" "$code" 2
  check "stdout there" "$out" ''
  err_has "there is no apt-get here"
  err_has "libeigen3-dev"
  no_stand_ins
}

test_runs_without_tools() {
  stand_ins
  settings+=(POMLUX_NO_INSTALL=1)
  launch text
  rm -f -- "$scratch/bin"/{c++,g++,cmake,ninja,apt-get,dpkg-query,flock}
  chmod -R a-w "$tree/build"
  settings=()
  launch text
  check "a built program where nothing is installed" "$code $out" '0 one'
  chmod -R u+w "$tree/build"
  no_stand_ins
}

make_tree
if [ $# = 0 ]; then
  mapfile -t tests < <(sed -n 's/^\(test_[a-z_]*\)().*/\1/p' "$0")
else
  tests=(test_first_call_builds "$@")
fi
for name in "${tests[@]}"; do
  before=$failures
  begin=$SECONDS
  "$name"
  [ "$failures" = "$before" ] && result=passed || result=FAILED
  echo "$result: $name ($((SECONDS - begin)) s)"
done
[ "$failures" = 0 ]
