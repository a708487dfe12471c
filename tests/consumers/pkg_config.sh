#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# pkg_config.sh COMPILER PREFIX PROGRAM: builds consumer.cpp with what pkg-config says, and runs it.
set -eu -o pipefail
compiler=$1 prefix=$2 program=$3
libdir=$(dirname -- "$(find "$prefix" -name pomlux.pc)")
export PKG_CONFIG_PATH=$libdir
flags=$(pkg-config --cflags --libs pomlux)
mkdir -p -- "$(dirname -- "$program")"
# pkg-config escapes spaces in paths for the shell.
eval "\"\$compiler\" -std=c++20 -o \"\$program\" \"\$(dirname -- \"\$0\")/consumer.cpp\" $flags"
LD_LIBRARY_PATH=$(dirname -- "$libdir") "$program"  # for shared libraries
