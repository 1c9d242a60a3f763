# Finds a CAF that Turnstile can be built on, as CAF::core, CAF::io and CAF::openssl:
#   - CAF 1.0 or later through its own package (point CMAKE_PREFIX_PATH at it);
#   - else 0.17.6 as Debian ships it: headers and libraries, no package file.
# 0.18 speaks neither's dialect and is refused, and so is anything older than
# 0.17.6. Installed beside turnstileConfig.cmake, for those who link us.
include(FindPackageHandleStandardArgs)

find_package(CAF CONFIG QUIET)
if(CAF_FOUND)
  set(CAF_location ${CAF_DIR})
else()
  find_path(CAF_INCLUDE_DIR caf/config.hpp)
  find_library(CAF_core_LIBRARY caf_core)
  find_library(CAF_io_LIBRARY caf_io)
  find_library(CAF_openssl_LIBRARY caf_openssl)
  mark_as_advanced(CAF_INCLUDE_DIR CAF_core_LIBRARY CAF_io_LIBRARY
    CAF_openssl_LIBRARY)
  if(CAF_INCLUDE_DIR AND CAF_core_LIBRARY AND CAF_io_LIBRARY
     AND CAF_openssl_LIBRARY)
    set(CAF_location ${CAF_core_LIBRARY})
    file(STRINGS ${CAF_INCLUDE_DIR}/caf/config.hpp version_line
      REGEX "^#define CAF_VERSION +[0-9]+") # 1706 is 0.17.6
    string(REGEX MATCH "[0-9]+$" number "${version_line}")
    math(EXPR minor "${number} / 100 % 100")
    math(EXPR patch "${number} % 100")
    set(CAF_VERSION 0.${minor}.${patch}) # all that lack a package are 0.x
  endif()
endif()

set(CAF_reason "Turnstile needs CAF 1.0 or later, or 0.17.6 (Debian: libcaf-dev)")
if(CAF_VERSION VERSION_GREATER_EQUAL 1.0)
  set(CAF_usable TRUE)
elseif(CAF_VERSION VERSION_GREATER_EQUAL 0.17.6
       AND CAF_VERSION VERSION_LESS 0.18)
  set(CAF_usable TRUE)
elseif(CAF_VERSION)
  set(CAF_usable FALSE)
  string(APPEND CAF_reason " - ${CAF_location} is CAF ${CAF_VERSION}")
endif()
find_package_handle_standard_args(CAF
  REQUIRED_VARS CAF_location CAF_usable
  VERSION_VAR CAF_VERSION
  REASON_FAILURE_MESSAGE "${CAF_reason}")

if(CAF_FOUND AND NOT TARGET CAF::core)
  find_package(Threads REQUIRED)
  find_package(OpenSSL REQUIRED) # CAF's own headers include its
  foreach(name core io openssl)
    add_library(CAF::${name} UNKNOWN IMPORTED)
    set_target_properties(CAF::${name} PROPERTIES
      IMPORTED_LOCATION ${CAF_${name}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${CAF_INCLUDE_DIR})
  endforeach()
  target_link_libraries(CAF::core INTERFACE Threads::Threads)
  target_link_libraries(CAF::io INTERFACE CAF::core)
  target_link_libraries(CAF::openssl INTERFACE
    CAF::io OpenSSL::SSL OpenSSL::Crypto)
endif()
