# The target `librdkafka`: 2.8 or newer, with TLS, SASL and OIDC. It is the system's library if that is new enough, else the
# static one that scripts/librdkafka has built into the user's cache.
pkg_check_modules(SYSTEM_LIBRDKAFKA QUIET IMPORTED_TARGET rdkafka>=2.8)
if(SYSTEM_LIBRDKAFKA_FOUND)
  add_library(librdkafka ALIAS PkgConfig::SYSTEM_LIBRDKAFKA)
  return()
endif()

execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/librdkafka path
  OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${folder}/lib/librdkafka.a)
  execute_process(COMMAND ${PKG_CONFIG_EXECUTABLE} --modversion rdkafka
    OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT version)
    set(version none)
  endif()
  message(FATAL_ERROR "neardup needs librdkafka 2.8 or newer, and pkg-config finds ${version}. Before 2.6.1 the login by "
    "SCRAM fails on Kafka 4 (librdkafka #4895), before 2.8 chains of client certificates are not sent. "
    "scripts/dependencies installs it, or builds it into ${folder}.")
endif()
find_package(CURL REQUIRED)
add_library(librdkafka STATIC IMPORTED GLOBAL)
set_target_properties(librdkafka PROPERTIES
  IMPORTED_LOCATION ${folder}/lib/librdkafka.a
  INTERFACE_INCLUDE_DIRECTORIES ${folder}/include)
target_link_libraries(librdkafka INTERFACE
  CURL::libcurl OpenSSL::SSL OpenSSL::Crypto PkgConfig::SASL PkgConfig::LZ4 PkgConfig::ZSTD PkgConfig::ZLIB
  Threads::Threads ${CMAKE_DL_LIBS} m)
# Images contain what `install` copies, and have to include the licences of everything linked into the program.
install(FILES ${folder}/share/licenses/LICENSES.txt DESTINATION share/doc/librdkafka RENAME copyright)
