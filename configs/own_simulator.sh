#!/bin/sh
# SPDX-License-Identifier: MIT
#
# own_simulator.sh TEMPERATURE MINUTES: stands for a simulator or an instrument of yours. It gets the
# point as arguments and prints one number, the yield in percent, on standard output. What goes to
# standard error is shown if it fails; any exit code but 0 is a failure.
#
# If the number has a known error, print an object instead: {"value": 61.2, "noise_stddev": 0.4}

export LC_ALL=C  # numbers with a decimal point, whatever the language of the user
exec awk -v temperature="$1" -v minutes="$2" 'BEGIN {
  if (temperature > 105 && minutes > 45) {
    print "the solvent boils off at " temperature " degrees" > "/dev/stderr"
    exit 3
  }
  a = (temperature - 96) / 18
  b = (minutes - 38) / 16
  printf "%.6f\n", 82 * exp(-a * a - b * b + 0.6 * a * b)
}'
