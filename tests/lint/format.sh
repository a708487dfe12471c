#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sources are as clang-format 14 writes them: `clang-format-14 -i FILE` mends one.
set -u -o pipefail
mapfile -t sources < <(find core gp estimators objectives acquisition experiments tests \
  \( -name '*.hpp' -o -name '*.cpp' -o -name '*.inc' \) | sort)
[ "${#sources[@]}" -gt 0 ] || { echo "no sources found"; exit 1; }
clang-format-14 --dry-run -Werror "${sources[@]}"
