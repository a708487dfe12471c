#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# headers.sh COMPILER INCLUDE_DIR EIGEN_DIR HEADER...: every public header compiles alone, without a
# warning.
set -u -o pipefail
compiler=$1 include=$2 eigen=$3
shift 3
[ $# -gt 0 ] || { echo "no headers to check"; exit 1; }

check() {  # HEADER, as in <pomlux/HEADER>
  "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror \
    -I "$include" -isystem "$eigen" -x c++ - <<<"#include <pomlux/$1>" || {
    echo "<pomlux/$1> does not compile alone"
    return 1
  }
}
export -f check
export compiler include eigen
printf '%s\0' "$@" | xargs -0 -n 1 -P 2 bash -c 'check "$0"' && echo "$# headers compile alone"
