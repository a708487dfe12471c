# Runs POMLUX on CONFIG for three steps into an empty OUT, and looks at what it left.
file(REMOVE_RECURSE ${OUT})
execute_process(COMMAND ${POMLUX} run ${CONFIG} --set budget.steps=3 --out ${OUT}
                COMMAND_ERROR_IS_FATAL ANY)
foreach(file experiment.yaml manifest.json summary.csv report.html)
  if(NOT EXISTS ${OUT}/${file})
    message(FATAL_ERROR "the run left no ${file}")
  endif()
endforeach()
file(GLOB steps ${OUT}/seed-*/steps.csv)
if(NOT steps)
  message(FATAL_ERROR "the run left no seed-*/steps.csv")
endif()
# What it resolved is a configuration that it accepts.
execute_process(COMMAND ${POMLUX} validate ${OUT}/experiment.yaml COMMAND_ERROR_IS_FATAL ANY)
