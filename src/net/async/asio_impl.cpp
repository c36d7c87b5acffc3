// SPDX-License-Identifier: Apache-2.0
// The only file that compiles the implementations of Asio and Beast (cmake/Compiler.cmake sets the
// macros that remove them from all other files).
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
