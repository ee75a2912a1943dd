# The git revision of the sources, in a generated file: after a commit only that file is compiled.

# neardup_revision(TARGET): a static library TARGET that defines source_revision() (service/revision.h). Each build asks
# scripts/revision, so that an incremental one notices a new commit.
function(neardup_revision target)
  set(module ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/revision.cc)
  add_custom_target(${target}_asked
    COMMAND ${CMAKE_COMMAND} -D to=${generated} -P ${module}/write_revision.cmake
    BYPRODUCTS ${generated}
    COMMENT "Asking for the revision of the sources" VERBATIM)
  add_library(${target} STATIC ${generated})
  add_dependencies(${target} ${target}_asked)
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)  # the file is written by the build
  target_include_directories(${target} PRIVATE ${module}/..)
endfunction()
