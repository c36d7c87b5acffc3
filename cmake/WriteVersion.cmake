# SPDX-License-Identifier: Apache-2.0
# Writes the version of this tree into a source file; run as a script at every build.
#
#   cmake -D SOURCE=tree -D FALLBACK=0.1.0 -D TEMPLATE=version.cpp.in -D OUTPUT=version.cpp -P WriteVersion.cmake
#
# | the tree                          | version                 |
# | at tag v1.2.3                     | 1.2.3                   |
# | 4 commits after it                | 1.2.3-4-g0123abc        |
# | in a git tree without such a tag  | FALLBACK-dev-g0123abc   |
# | with uncommitted changes          | ...-dirty               |
# | not in a git tree, or no git      | FALLBACK                |
#
# The output is rewritten only if it changes.
find_program(GIT git)

function(git_says into)
  set(${into} "" PARENT_SCOPE)
  if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE code
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(code EQUAL 0)
      set(${into} "${text}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# A copy of the sources inside another git tree must not use the version of that tree.
git_says(top rev-parse --show-toplevel)
file(REAL_PATH "${SOURCE}" here)
set(VERSION "${FALLBACK}")
if(top STREQUAL here)
  git_says(tagged describe --tags --match "v[0-9]*" --dirty)
  git_says(untagged describe --always --dirty --exclude "*")
  if(tagged)
    string(REGEX REPLACE "^v" "" VERSION "${tagged}")
  elseif(untagged)
    set(VERSION "${FALLBACK}-dev-g${untagged}")
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
