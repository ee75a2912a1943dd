# The module libneardup_arrow.so, for Parquet and buckets, where there is Arrow: the system's, or the pyarrow wheel that scripts/arrow has unpacked
# (NEARDUP_ARROW_ROOT). The program finds it when it runs, so nothing else is built differently.
set(NEARDUP_ARROW AUTO CACHE STRING "Parquet files and buckets, by Arrow C++: ON, OFF, or AUTO: where there is Arrow")
set(NEARDUP_ARROW_ROOT "$ENV{NEARDUP_ARROW_ROOT}" CACHE PATH "Where Arrow's include and lib are, if not in the system (scripts/arrow prints it)")
if(NEARDUP_ARROW STREQUAL OFF OR NEARDUP_SANITIZE OR NEARDUP_PYTHON)  # sanitizers do not work with deep binding
  return()
endif()

if(NEARDUP_ARROW_ROOT)
  if(NOT EXISTS ${NEARDUP_ARROW_ROOT}/include/parquet/arrow/reader.h)
    message(FATAL_ERROR "NEARDUP_ARROW_ROOT is ${NEARDUP_ARROW_ROOT}, where no include/parquet/arrow/reader.h is: give the folder that "
      "scripts/arrow prints")
  endif()
  foreach(name arrow parquet)
    add_library(neardup_lib${name} SHARED IMPORTED)
    set_target_properties(neardup_lib${name} PROPERTIES IMPORTED_LOCATION ${NEARDUP_ARROW_ROOT}/lib/lib${name}.so
      INTERFACE_INCLUDE_DIRECTORIES ${NEARDUP_ARROW_ROOT}/include)
  endforeach()
  set(arrow_libraries neardup_libparquet neardup_libarrow)
  # No symbol of it is used: it registers s3:// when it is loaded. Among the module's libraries it has the module's allocator.
  set(arrow_s3 ${NEARDUP_ARROW_ROOT}/lib/libarrow_s3.so)
  if(NOT EXISTS ${arrow_s3})
    message(FATAL_ERROR "${NEARDUP_ARROW_ROOT} has no lib/libarrow_s3.so: give the folder that scripts/arrow prints now")
  endif()
else()
  find_package(Arrow CONFIG QUIET)
  find_package(Parquet CONFIG QUIET)
  set(arrow_libraries Parquet::parquet_shared Arrow::arrow_shared)
  if(NOT Arrow_FOUND OR NOT Parquet_FOUND)
    if(NEARDUP_ARROW STREQUAL ON)
      message(FATAL_ERROR "NEARDUP_ARROW is ON, and there is no Arrow C++. Install libarrow-dev and libparquet-dev where the "
        "distribution has them, or give -D NEARDUP_ARROW_ROOT=\"$(scripts/arrow)\", which fetches it.")
    endif()
    return()
  endif()
endif()

add_library(neardup_arrow MODULE
  arrow/json_cells.cc
  arrow/module.cc
  arrow/parquet_flags.cc
  arrow/parquet_rows.cc
  arrow/parquet_split.cc
  arrow/recycling_pool.cc
  arrow/remote_files.cc)
set_target_properties(neardup_arrow PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON UNITY_BUILD OFF
  INSTALL_RPATH "$ORIGIN")
# The allocator first: what the module's libraries allocate and what the C library allocates for them must come from one.
target_link_libraries(neardup_arrow PRIVATE neardup_build -Wl,--no-as-needed PkgConfig::JEMALLOC ${arrow_s3} -Wl,--as-needed ${arrow_libraries})
add_dependencies(neardup neardup_arrow)
install(TARGETS neardup_arrow LIBRARY DESTINATION lib/neardup)
if(NEARDUP_ARROW_ROOT)  # with its libraries and their licences
  file(GLOB libraries ${NEARDUP_ARROW_ROOT}/lib/lib*.so.*)
  install(FILES ${libraries} DESTINATION lib/neardup)
  install(FILES ${NEARDUP_ARROW_ROOT}/LICENSE.txt ${NEARDUP_ARROW_ROOT}/NOTICE.txt DESTINATION share/doc/arrow)
endif()
