# The Debian package that scripts/package makes; NEARDUP_PACKAGE is the folder of its man pages and completions.
install(DIRECTORY ${NEARDUP_PACKAGE}/ DESTINATION share)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME neardup)
set(CPACK_PACKAGE_CONTACT "The maintainers of neardup <maintainers@neardup.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "near-duplicate documents in files and streams")
set(CPACK_PACKAGE_DESCRIPTION "neardup gives every document of files, HTTP requests or Kafka topics one flag: which earlier\n\
document it repeats, how similar the two are, and why.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION text)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
