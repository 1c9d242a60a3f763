# Compiles through ccache where it is installed. It refuses precompiled headers
# unless told that their defines and time stamps may be ignored.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  # Lets ccache see what went into a precompiled header. Only GCC knows it.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
