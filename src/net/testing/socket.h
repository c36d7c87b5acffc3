// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: plain blocking sockets on loopback, so that the peer of a test shares no code
// with the code under test.

#include <arpa/inet.h>
#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace net::testing {

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }

  int fd() const { return fd_; }
  void write(std::string_view text) const {
    (void)::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
  }
  // Reads `size` bytes, or fewer if the connection ends.
  std::string read(std::size_t size) const {
    std::string text(size, '\0');
    const auto got = ::recv(fd_, text.data(), size, MSG_WAITALL);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
  }
  void shutdown() const { ::shutdown(fd_, SHUT_WR); }
  // Closes with a RST instead of a FIN.
  void reset() {
    const linger now{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

// Connects to a port of 127.0.0.1.
inline Socket connect_to(std::uint16_t port) {
  Socket socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  (void)::connect(socket.fd(), reinterpret_cast<sockaddr*>(&address), sizeof address);
  return socket;
}

// Listens on a free port of 127.0.0.1.
class Listener {
 public:
  enum class Backlog { roomy, full };

  explicit Listener(Backlog backlog = Backlog::roomy) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    (void)::bind(socket_.fd(), generic(address), size);
    (void)::listen(socket_.fd(), backlog == Backlog::full ? 0 : 16);
    (void)::getsockname(socket_.fd(), generic(address), &size);
    port_ = ntohs(address.sin_port);
    if (backlog == Backlog::full) fill();
  }

  std::uint16_t port() const { return port_; }
  Socket accept() const { return Socket(::accept(socket_.fd(), nullptr, nullptr)); }
  // Ends a pending accept().
  void stop() const { ::shutdown(socket_.fd(), SHUT_RDWR); }
  // Whether the kernel leaves further connections unanswered.
  bool is_full() const { return full_; }

  // A port without a listener: bound briefly, then released.
  static std::uint16_t unused_port() { return Listener().port(); }

 private:
  static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  static sockaddr* generic(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

  void fill() {
    for (int i = 0; i < 8 && !full_; ++i) {
      fillers_.emplace_back(::socket(AF_INET, SOCK_STREAM, 0));
      const timeval soon{0, 50'000};
      ::setsockopt(fillers_.back().fd(), SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof soon);
      sockaddr_in address = loopback(port_);
      full_ = ::connect(fillers_.back().fd(), generic(address), sizeof address) != 0;
    }
  }

  Socket socket_;
  std::uint16_t port_ = 0;
  bool full_ = false;
  std::vector<Socket> fillers_;
};

}  // namespace net::testing
