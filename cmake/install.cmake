# cmake --install: the library with its headers for find_package(gfdt), the command, and the models.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gfdt)
set_target_properties(gfdt_library PROPERTIES EXPORT_NAME gfdt)
install(TARGETS gfdt_library EXPORT gfdt_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/src/gfdt
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING
  PATTERN "*.hpp")
install(EXPORT gfdt_targets FILE gfdtTargets.cmake NAMESPACE gfdt:: DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gfdtConfig.cmake.in ${PROJECT_BINARY_DIR}/gfdtConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gfdtConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gfdtConfig.cmake ${PROJECT_BINARY_DIR}/gfdtConfigVersion.cmake
        DESTINATION ${package_folder})

install(TARGETS gfdt RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/gfdt)
install(FILES ${PROJECT_BINARY_DIR}/gfdt.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
