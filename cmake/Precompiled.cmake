# SPDX-License-Identifier: Apache-2.0
# Precompiled headers of external libraries that most files include (standard library, fmt, the
# lightweight part of Asio, the test frameworks). They took two thirds of the compile time of a
# file.
#
#   sb_precompiled(sb_kube_api PRODUCT)   a library or program
#   sb_precompiled(kube_test TESTS)       a test program: also GoogleTest and RapidCheck
#   sb_precompiled(sb_base PLAIN)         without Asio, for targets that do not link it
#   sb_precompiled(base_test PLAIN_TESTS)
#
# Each set is compiled once per build tree and shared by all targets. A set contains no header of
# the project, so a target still sees only the headers of the modules that it links.
option(SB_PCH "use precompiled headers" ON)

# CMake's default also passes the source of the precompiled header, by an absolute path that ccache
# cannot make relative, so clones could not share cache entries. Clang does not need that source.
set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)

set(sb_plain_headers
  <algorithm> <array> <charconv> <chrono> <compare> <coroutine> <cstddef> <cstdint> <deque> <functional> <iterator>
  <limits> <map> <memory> <optional> <ranges> <set> <span> <string> <string_view> <utility> <variant> <vector>
  <fmt/format.h> <fmt/ranges.h>)
set(sb_product_headers ${sb_plain_headers}
  <boost/asio/any_io_executor.hpp> <boost/asio/awaitable.hpp> <boost/asio/buffer.hpp> <boost/asio/this_coro.hpp>
  <boost/asio/cancellation_state.hpp>)
set(sb_test_headers <gtest/gtest.h> <gmock/gmock.h> <rapidcheck.h> <rapidcheck/gtest.h> <sstream> <fstream> <filesystem>)

# The checksum by which ccache identifies a set (CCACHE_PCH_EXTSUM): everything that determines its
# content.
function(sb_write_sum target headers)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  set(sum "${headers} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE} ${CMAKE_CXX_FLAGS_${build_type}} ${SB_SANITIZE}")
  foreach(header c++config.h fmt/core.h boost/version.hpp gtest/gtest.h gmock/gmock.h rapidcheck.h)
    file(GLOB found /usr/include/${header} /usr/include/x86_64-linux-gnu/c++/*/bits/${header})
    foreach(file ${found})
      file(SHA256 ${file} hash)
      string(APPEND sum " ${hash}")
    endforeach()
  endforeach()
  get_directory_property(options COMPILE_OPTIONS)
  string(SHA256 sum "${sum} ${options}")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch.sum CONTENT ${sum})
endfunction()

function(sb_precompiled_set target)
  file(WRITE ${CMAKE_BINARY_DIR}/pch/${target}.cpp "")
  add_library(${target} OBJECT ${CMAKE_BINARY_DIR}/pch/${target}.cpp)
  target_link_libraries(${target} PRIVATE fmt::fmt Boost::headers)
  if(target MATCHES "tests$")
    target_link_libraries(${target} PRIVATE GTest::gtest GTest::gmock)  # its definitions must be those of a test program
  endif()
  target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  sb_write_sum(${target} "${ARGN}")
endfunction()

if(SB_PCH)
  sb_precompiled_set(sb_pch_plain ${sb_plain_headers})
  sb_precompiled_set(sb_pch_product ${sb_product_headers})
  if(SB_TESTS)
    sb_precompiled_set(sb_pch_plain_tests ${sb_plain_headers} ${sb_test_headers})
    sb_precompiled_set(sb_pch_tests ${sb_product_headers} ${sb_test_headers})
  endif()
endif()

function(sb_precompiled target set)
  if(NOT SB_PCH)
    return()
  endif()
  string(TOLOWER ${set} set)
  target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
  target_precompile_headers(${target} REUSE_FROM sb_pch_${set})
endfunction()
