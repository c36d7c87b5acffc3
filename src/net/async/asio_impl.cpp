// SPDX-License-Identifier: Apache-2.0
// The one place where the bodies of Asio and Beast are compiled (the macros that take them out of
// every other file are set in cmake/Compiler.cmake).
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
