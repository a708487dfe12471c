# gnuplot error_against_time.gp: draws error_against_time.csv, made by `bench_accuracy time`.
set terminal svg size 760,460 font "sans-serif,12" background "white"
set output "error_against_time.svg"
set datafile separator ","
set logscale xy
set format x "10^{%L}"
set format y "10^{%L}"
set xlabel "seconds per estimate, one thread"
set ylabel "total variation to independent arms"
set yrange [1e-3:1.5]
set xrange [3e-7:100]
set key outside right top
set grid lc rgb "#dddddd"
names = "f_lite a_lite vapor est ts_mc_1000 ts_mc_100000"
plot for [i=1:words(names)] "< grep -F '," . word(names, i) . ",' error_against_time.csv" \
  using 3:4 with linespoints pt 7 ps 0.7 lw 1.5 title word(names, i) noenhanced
