# SPDX-License-Identifier: Apache-2.0
"""A TCP proxy on loopback that cuts each connection after a random number of bytes from the server.

Guarantees  what passes is unchanged and in order, up to the byte where it is cut; some are cut with a goodbye (FIN),
            some without (RST). A cut may come in the middle of a TLS handshake, a record, an event, a character.
"""

import contextlib
import itertools
import random
import select
import socket
import struct
import threading

# How many bytes pass, in turn: about a handshake, a few events, some more, and enough for a page of a list: with less
# nobody who needs one would ever get on.
AMOUNTS = (lambda: random.expovariate(1 / 1_500), lambda: random.expovariate(1 / 10_000),
           lambda: random.expovariate(1 / 40_000), lambda: random.uniform(300_000, 600_000))


class CuttingProxy:
    """Use as a context manager; listens on .port."""

    def __init__(self, target_port):
        self._target = ("127.0.0.1", target_port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cuts = 0
        self._amounts = itertools.cycle(AMOUNTS)

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes accept()
        self._listener.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        """One thread per connection: a socket that another thread reads cannot be reset."""
        with client:
            try:
                with socket.create_connection(self._target, timeout=10) as server:
                    if self._forward(client, server):
                        self.cuts += 1
                        if random.random() < 0.5:
                            _reset_on_close(client)
            except OSError:  # the server is down, or one end has gone without a goodbye
                _reset_on_close(client)

    def _forward(self, client, server):
        """Until one end has no more to say (False) or it is time to cut (True)."""
        left = 1 + int(next(self._amounts)())
        while left:
            ready, _, _ = select.select((client, server), (), ())
            if client in ready:
                data = client.recv(65536)
                if not data:
                    return False
                server.sendall(data)
            if server in ready:
                data = server.recv(min(left, 65536))
                if not data:
                    return False
                left -= len(data)
                client.sendall(data)
        return True


def _reset_on_close(end):
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
