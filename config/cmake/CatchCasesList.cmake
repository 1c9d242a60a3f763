# Run by ctest itself, once per test program: see CatchCases.cmake.
if(catch_version VERSION_LESS 3)
  set(list_flags --list-test-names-only)
  set(run_flags --warn NoTests) # else a name that matches nothing passes
else()
  set(list_flags --list-tests --verbosity quiet)
  set(run_flags)
endif()
set(names)
if(EXISTS ${program})
  execute_process(COMMAND ${program} "~[.]" ${list_flags}
    WORKING_DIRECTORY ${working_directory}
    OUTPUT_VARIABLE names ERROR_QUIET)
endif()

# One name a line. No CMake list is made of them: brackets would glue items.
string(FIND "${names}" "\n" end)
if(end LESS 1) # not built, or dies before it can list: let that be seen
  add_test("${label}: lists its tests" ${program} "~[.]" ${list_flags})
  set_tests_properties("${label}: lists its tests" PROPERTIES
    PASS_REGULAR_EXPRESSION "never: ${program} lists no tests")
endif()
while(end GREATER 0)
  string(SUBSTRING "${names}" 0 ${end} name)
  math(EXPR end "${end} + 1")
  string(SUBSTRING "${names}" ${end} -1 names)
  # Written for Catch2's parser of test names.
  string(REGEX REPLACE [=[([][\\,"])]=] [=[\\\1]=] pattern "${name}")
  add_test("${label}: ${name}" ${program} "${pattern}" ${run_flags})
  set_tests_properties("${label}: ${name}" PROPERTIES
    WORKING_DIRECTORY ${working_directory}
    LABELS ${label}
    TIMEOUT 300)
  string(FIND "${names}" "\n" end)
endwhile()
