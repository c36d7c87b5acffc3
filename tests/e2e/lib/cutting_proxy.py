# SPDX-License-Identifier: Apache-2.0
"""A TCP proxy on loopback that cuts each connection after a random number of bytes from the server.

Guarantees  bytes are forwarded unchanged and in order, up to the cut; some connections are closed with FIN, some with
            RST. A cut may be in the middle of a TLS handshake, a record, an event, a character.
"""

import contextlib
import itertools
import random
import re
import select
import socket
import struct
import sys
import threading

# How many bytes pass, in turn. From the API server: about a handshake, a few events, some more, and enough for a page of
# a list: with less a client that needs a list would never make progress.
OF_API_SERVER = (lambda: random.expovariate(1 / 1_500), lambda: random.expovariate(1 / 10_000),
                 lambda: random.expovariate(1 / 40_000), lambda: random.uniform(300_000, 600_000))
# From slurmrestd: within an answer, after a few, after many; and sometimes enough for a list of all nodes (2.5 KB each).
OF_SLURMRESTD = 2 * (lambda: random.uniform(0, 800), lambda: random.expovariate(1 / 4_000),
                     lambda: random.uniform(0, 50_000)) + (lambda: random.uniform(60_000, 90_000),)


class CuttingProxy:
    """Use as a context manager; listens on .port."""

    def __init__(self, target_port, amounts=OF_API_SERVER):
        self._target = ("127.0.0.1", target_port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cuts = 0
        self._amounts = itertools.cycle(amounts)
        self._open = True

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes accept()
        self._listener.close()

    def repair(self):
        """New connections are not cut."""
        self._amounts = itertools.repeat(lambda: sys.maxsize)

    @contextlib.contextmanager
    def closed(self):
        """Inside this context nothing passes: open connections are cut, and new ones are refused."""
        self._open = False
        try:
            yield
        finally:
            self._open = True

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        """One thread per connection: a socket that another thread reads cannot be reset."""
        with client:
            try:
                if not self._open:
                    raise ConnectionRefusedError
                with socket.create_connection(self._target, timeout=10) as server:
                    if self._forward(client, server):
                        self.cuts += 1
                        if random.random() < 0.5:
                            _reset_on_close(client)
            except OSError:  # the server is down, or one end reset the connection
                _reset_on_close(client)

    def _forward(self, client, server):
        """Until one end closes the connection (False) or the limit is reached (True)."""
        left = 1 + int(next(self._amounts)())
        while left and self._open:
            ready, _, _ = select.select((client, server), (), (), 0.1)
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


def kubeconfig_through(proxy, kubeconfig, folder):
    """A copy of the kubeconfig with the address of the proxy: the server's certificate is valid for every port."""
    path = folder / f"{kubeconfig.name}.through-{proxy.port}"
    path.touch(mode=0o600)
    path.write_text(re.sub(r"(server: https://127\.0\.0\.1):\d+", rf"\1:{proxy.port}", kubeconfig.read_text()))
    return path


def _reset_on_close(end):
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
