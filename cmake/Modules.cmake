# SPDX-License-Identifier: Apache-2.0
# One target per folder of src/, with the tests beside the source.
#
#   sb_module(kube/cache LINKS kube/client net/async PRIVATE_LINKS simdjson::simdjson)
#
# compiles every x.cpp of the folder src/kube/cache (not of its subfolders) into the library
# `sb_kube_cache`, and adds every x_test.cpp to the test program of the top folder:
#
#   sb_tests(kube LINKS kube/testing)     # kube_test: the tests of all modules of src/kube
#
# A module sees only the headers of the modules that it links: the include path of a module is a
# separate folder below build/view with one symbolic link to the sources of the module. An include
# of a header of another module does not compile (checked by tests/modules).
option(SB_TESTS "build the unit tests" ON)

# Returns the target of a module: kube/cache -> sb_kube_cache.
function(sb_target_of module result)
  string(REPLACE "/" "_" name ${module})
  set(${result} sb_${name} PARENT_SCOPE)
endfunction()

# Returns the include path of a module.
function(sb_view_of module result)
  set(view ${CMAKE_BINARY_DIR}/view/${module})
  cmake_path(GET module PARENT_PATH above)
  file(MAKE_DIRECTORY ${view}/${above})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/${module} ${view}/${module} SYMBOLIC)
  set(${result} ${view} PARENT_SCOPE)
endfunction()

function(sb_module module)
  cmake_parse_arguments(ARG "" "" "LINKS;PRIVATE_LINKS" ${ARGN})
  sb_target_of(${module} target)
  sb_view_of(${module} view)
  set(links)
  foreach(other ${ARG_LINKS})
    sb_target_of(${other} linked)
    list(APPEND links ${linked})
  endforeach()

  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${module}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(sources)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${view})
    target_link_libraries(${target} PUBLIC ${links} PRIVATE ${ARG_PRIVATE_LINKS})
    if(module MATCHES "^(base|json)$")
      sb_precompiled(${target} PLAIN)
    else()
      sb_precompiled(${target} PRODUCT)
    endif()
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${view})
    target_link_libraries(${target} INTERFACE ${links})
  endif()

  string(REGEX REPLACE "/.*" "" top ${module})
  if(NOT top STREQUAL module AND NOT module MATCHES "/testing$")  # sb_kube: all of src/kube, for programs
    if(NOT TARGET sb_${top})
      add_library(sb_${top} INTERFACE)
    endif()
    target_link_libraries(sb_${top} INTERFACE ${target})
  endif()
  set_property(GLOBAL APPEND PROPERTY sb_tests_of_${top} ${tests})
  set_property(GLOBAL APPEND PROPERTY sb_modules_of_${top} ${target})
endfunction()

# The test program of a top folder; it sees all modules of that folder and the modules in LINKS.
function(sb_tests top)
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  get_property(tests GLOBAL PROPERTY sb_tests_of_${top})
  if(NOT tests OR NOT SB_TESTS)
    return()
  endif()
  get_property(links GLOBAL PROPERTY sb_modules_of_${top})
  foreach(other ${ARG_LINKS})
    sb_target_of(${other} linked)
    list(APPEND links ${linked})
  endforeach()
  add_executable(${top}_test ${tests})
  target_link_libraries(${top}_test PRIVATE ${links} sb_testing GTest::gtest GTest::gmock
    GTest::gtest_main ${RAPIDCHECK_LIBRARY})
  if(top MATCHES "^(base|json)$")
    sb_precompiled(${top}_test PLAIN_TESTS)
  else()
    sb_precompiled(${top}_test TESTS)
  endif()
  gtest_discover_tests(${top}_test TEST_PREFIX ${top}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
endfunction()
