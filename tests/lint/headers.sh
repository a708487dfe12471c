#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# headers.sh COMPILER INCLUDE_DIR EIGEN_DIR HEADER...: every public header compiles alone, without a
# warning.
#
# Nearly all of that time goes into <pomlux/core/types.hpp>, that is Eigen. A header that includes it,
# itself or through others of Pomlux, has it before its own first declaration; there it is read from a
# precompiled header.
set -u -o pipefail
compiler=$1 include=$2 eigen=$3
shift 3
[ $# -gt 0 ] || { echo "no headers to check"; exit 1; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf -- "$scratch"' EXIT

compile() {  # ARGUMENTS...
  "$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Winvalid-pch \
    -I "$include" -isystem "$eigen" "$@"
}
check() {  # HEADER, as in <pomlux/HEADER>
  local before=()
  ! grep -qxF -- "$1" "$scratch/with_types" || before=(-include "$scratch/types.hpp")
  compile -fsyntax-only "${before[@]}" -x c++ - <<<"#include <pomlux/$1>" || {
    echo "<pomlux/$1> does not compile alone"
    return 1
  }
}
includes() {  # HEADER: those of Pomlux
  sed -n 's/^#include <pomlux\/\([^>]*\)>.*/\1/p' "$include/pomlux/$1"
}
export -f check compile
export compiler include eigen scratch

# with_types: the headers that include types.hpp, or one that does.
types=core/types.hpp
: >"$scratch/with_types"
if grep -qxF -- "$types" <<<"$(printf '%s\n' "$@")"; then
  echo "#include <pomlux/$types>" >"$scratch/types.hpp"
  compile -x c++-header -o "$scratch/types.hpp.gch" "$scratch/types.hpp" || exit 1
  wanted=$types
  while [ -n "$wanted" ]; do
    wanted=$(for header in "$@"; do
      ! grep -qxF -e "$types" -e "$(<"$scratch/with_types")" <<<"$header" || continue
      ! grep -qxF -- "$wanted" <<<"$(includes "$header")" || printf '%s\n' "$header"
    done)
    [ -z "$wanted" ] || printf '%s\n' "$wanted" >>"$scratch/with_types"
  done
fi
printf '%s\0' "$@" | xargs -0 -n 1 -P 2 bash -c 'check "$0"' && echo "$# headers compile alone"
