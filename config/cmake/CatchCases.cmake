# turnstile_catch_cases(program label)
#
# Makes each test case of a Catch2 program a test of CTest, so that a case that
# aborts or hangs takes no other with it. The cases are asked for when ctest
# starts, not when the program is linked. Catch2's own catch_discover_tests is
# not used: version 2's finds no tests, and says nothing, if the program
# crashes, and it stumbles over brackets and semicolons in names.
set(CATCH_CASES_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/CatchCasesList.cmake)

function(turnstile_catch_cases program label)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${program}_cases.cmake)
  file(CONFIGURE OUTPUT ${script} CONTENT [[
set(program "@CMAKE_RUNTIME_OUTPUT_DIRECTORY@/@program@")
set(label "@label@")
set(catch_version "@Catch2_VERSION@")
set(working_directory "@PROJECT_SOURCE_DIR@")
include("@CATCH_CASES_SCRIPT@")
]] @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()
