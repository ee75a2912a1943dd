# cmake -D to=FILE -P write_revision.cmake: generates FILE from service/revision.cc.in, unless it is up to date.
set(root ${CMAKE_CURRENT_LIST_DIR}/..)
execute_process(COMMAND ${root}/scripts/revision OUTPUT_VARIABLE NEARDUP_REVISION OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
configure_file(${root}/service/revision.cc.in ${to} @ONLY)
