# turnstile_room(name SOURCES ... LINK ...)
#
# A room is a library turnstile_<name>, known as turnstile::<name> here and to
# those who installed it. Includes start at the root of the repository, which
# is include/turnstile/ once installed. A room without a .cpp (headers only, or
# still empty) is an interface library, and becomes a real one with its first.
include(GNUInstallDirs)
set(TURNSTILE_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR}/turnstile)

function(turnstile_room name)
  cmake_parse_arguments(room "" "" "SOURCES;LINK" ${ARGN})
  set(target turnstile_${name})
  if(room_SOURCES)
    add_library(${target} STATIC ${room_SOURCES})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(turnstile::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${TURNSTILE_INCLUDEDIR}>)
  target_link_libraries(${target} ${scope} ${room_LINK})
  add_dependencies(turnstile_installables ${target})
  install(TARGETS ${target} EXPORT turnstile-targets)
endfunction()
