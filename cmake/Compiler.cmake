# SPDX-License-Identifier: Apache-2.0
# Compiler, language standard, warnings and sanitizers. Everything that changes code generation is
# set here, once, for all targets: targets that differ would violate the one-definition rule in
# Asio's headers.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  message(FATAL_ERROR
    "g++ ${CMAKE_CXX_COMPILER_VERSION} silently miscompiles co_await expressions that build an "
    "aggregate or a capturing lambda in place (double destruction, no warning). "
    "Use clang 19: apt-get install clang-19, then cmake --preset dev.")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# For libraries and programs, so that they can share precompiled headers; there are no shared
# libraries.
add_compile_options(-fPIE)
add_link_options(-pie)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wcast-align -Wunused -Wconversion -Wno-sign-conversion -Wnull-dereference -Wimplicit-fallthrough
  -Werror)
add_compile_definitions(
  BOOST_ASIO_SEPARATE_COMPILATION
  BOOST_ASIO_NO_DEPRECATED
  BOOST_ASIO_DISABLE_BOOST_COROUTINE
  BOOST_BEAST_SEPARATE_COMPILATION
  BOOST_ALL_NO_LIB)

# Assertions of the standard library: they are cheap, and an out-of-range index in a daemon that
# manages a cluster should crash at a known line.
add_compile_definitions(_GLIBCXX_ASSERTIONS)
add_compile_options(-fstack-protector-strong)

find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()
find_program(CCACHE ccache)
if(CCACHE)
  # Paths below the clone are treated as relative, so that clones share cache entries. A precompiled
  # header is identified by its checksum (Precompiled.cmake) and not by its bytes, which contain the
  # path of the clone.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 ${CCACHE})
endif()

set(SB_SANITIZE "" CACHE STRING "address, thread, or empty")
option(SB_FUZZ "build the fuzz targets; all code is instrumented for them" OFF)
if(SB_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(SB_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(SB_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()
