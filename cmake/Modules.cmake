# SPDX-License-Identifier: Apache-2.0
# One target per folder of src/, tests beside the source.
#
#   sb_module(kube LINKS net PRIVATE_LINKS simdjson::simdjson)
#
# takes every x.cpp of the folder into the library `sb_kube` and every x_test.cpp into the test
# program `kube_test`. A folder sees only what it names in LINKS, so a dependency in the wrong
# direction does not link (and does not find its neighbour's headers by accident in review).
option(SB_TESTS "build the unit tests" ON)

function(sb_module name)
  cmake_parse_arguments(ARG "" "" "LINKS;PRIVATE_LINKS" ${ARGN})
  file(GLOB_RECURSE all CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  set(sources ${all})
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cpp$")
  set(tests ${all})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  add_library(sb_${name} STATIC ${sources})
  target_include_directories(sb_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM ARG_LINKS PREPEND sb_ OUTPUT_VARIABLE links)
  target_link_libraries(sb_${name} PUBLIC ${links} PRIVATE ${ARG_PRIVATE_LINKS})

  if(tests AND SB_TESTS)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE sb_${name} sb_testing GTest::gtest GTest::gmock
      GTest::gtest_main ${RAPIDCHECK_LIBRARY})
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
