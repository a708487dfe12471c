// SPDX-License-Identifier: MIT
#include <pomlux/experiments/cli.hpp>

int main(int argc, char** argv) { return pomlux::run_program(argc, argv); }
