# Passes when LIBRARY exports functions of the public API and nothing else.
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
                OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9a-f]+ [A-Z] [^\n]+" symbols "${text}")
set(public ${symbols})
list(FILTER public INCLUDE REGEX " hiss_")
list(FILTER symbols EXCLUDE REGEX " (hiss_|HISS_[0-9]+)")
if(symbols OR NOT public)
  message(FATAL_ERROR "exported beside hiss_*: ${symbols}; public: ${public}")
endif()
