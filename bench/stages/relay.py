# SPDX-License-Identifier: Apache-2.0
"""A TCP relay on loopback that counts the bytes between the bridge and slurmrestd."""

import selectors
import socket
import threading

CHUNK = 1 << 18


class Relay:
    """Guarantees  .bytes counts all bytes in both directions; close() stops the relay."""

    def __init__(self, host, port):
        self._target = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.bytes = 0
        self._other = {}  # each socket's other end
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._wake, self._waker = socket.socketpair()
        self._selector.register(self._wake, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self):
        self._waker.close()
        self._thread.join()
        for each in (*self._other, self._listener, self._wake):
            each.close()

    def _run(self):
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._wake:
                    return
                if key.fileobj is self._listener:
                    self._accept()
                else:
                    self._pass_on(key.fileobj)

    def _accept(self):
        near, _ = self._listener.accept()
        try:
            far = socket.create_connection(self._target, timeout=10)
        except OSError:
            near.close()
            return
        far.settimeout(None)
        for one, other in ((near, far), (far, near)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._other[one] = other
            self._selector.register(one, selectors.EVENT_READ)

    def _pass_on(self, source):
        if source not in self._other:
            return  # its peer was closed in the same iteration
        try:
            data = source.recv(CHUNK)
            if data:
                self.bytes += len(data)
                self._other[source].sendall(data)
                return
        except OSError:
            pass
        for each in (source, self._other[source]):
            self._selector.unregister(each)
            del self._other[each]
            each.close()
