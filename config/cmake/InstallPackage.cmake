# What find_package(turnstile) finds: the exported rooms, their version, our
# find module for CAF (Debian's CAF has no package file of its own).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/turnstile)

configure_package_config_file(config/cmake/turnstileConfig.cmake.in
  ${PROJECT_BINARY_DIR}/turnstileConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/turnstileConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/turnstileConfig.cmake
  ${PROJECT_BINARY_DIR}/turnstileConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/config/cmake/FindCAF.cmake
  DESTINATION ${package_dir})
install(EXPORT turnstile-targets NAMESPACE turnstile::
  DESTINATION ${package_dir})

install(DIRECTORY core messages actors config
  DESTINATION ${TURNSTILE_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.proto"
  PATTERN "actors/node" EXCLUDE
  PATTERN "messages/schema/draft7" EXCLUDE
  PATTERN "config/cmake" EXCLUDE PATTERN "config/packages" EXCLUDE
  PATTERN "config/shell" EXCLUDE)
install(DIRECTORY ${TURNSTILE_GENERATED_DIR}/messages
  DESTINATION ${TURNSTILE_INCLUDEDIR} OPTIONAL
  FILES_MATCHING PATTERN "*.pb.h")
