# gfdt_embed(target namespace name header...): at build time pastes the headers together, without `#pragma once` and
# their includes of gfdt headers, and compiles the text into the target as
#
#   namespace <namespace> { extern const char* const <name>; }
#
# Headers are given relative to src/, each after those it includes.
function(gfdt_embed target namespace name)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE headers)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D namespace=${namespace} -D name=${name} -D output=${output} "-Dheaders=${headers}" -P
            ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${headers} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    COMMENT "Embedding ${name}"
    VERBATIM)
  add_library(${target}_${name} OBJECT ${output})
  set_target_properties(${target}_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${name}>)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(text "")
  foreach(header ${headers})
    file(READ ${header} part)
    string(REGEX REPLACE "#pragma once\n" "" part "${part}")
    string(REGEX REPLACE "#include \"gfdt/[^\n]*\n" "" part "${part}")
    string(APPEND text "${part}")
  endforeach()
  # Compilers limit the length of one literal, not of adjacent ones; each ends with a line, for a cut through a character
  # of several bytes would not be valid text.
  set(pieces "")
  string(LENGTH "${text}" length)
  while(length GREATER 0)
    string(SUBSTRING "${text}" 0 12000 piece)
    string(FIND "${piece}" "\n" end REVERSE)
    math(EXPR end "${end} + 1")
    string(SUBSTRING "${text}" 0 ${end} piece)
    string(SUBSTRING "${text}" ${end} -1 text)
    string(APPEND pieces "R\"lanes(${piece})lanes\"\n")
    string(LENGTH "${text}" length)
  endwhile()
  file(WRITE ${output}.new
       "namespace ${namespace} {\nextern const char* const ${name};\nconst char* const ${name} =\n${pieces};\n}  // namespace ${namespace}\n")
  file(COPY_FILE ${output}.new ${output})
  file(REMOVE ${output}.new)
endif()
