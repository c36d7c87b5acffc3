# SPDX-License-Identifier: Apache-2.0
"""A TCP proxy on loopback that holds what it is told to hold, as a slow network does.

Guarantees  what passes is unchanged and in order. Of the connections whose client says certain words, in turn: one is
            let through, one has its request held, one has its request passed on and the answer held. What is held
            arrives after all when it is released, also if the client's own deadline is over.
Does not    look into TLS; break what it holds.
"""

import collections
import contextlib
import itertools
import select
import socket
import threading

PASS, HOLD_REQUEST, HOLD_ANSWER = "passed", "request held", "answer held"


class HoldingProxy:
    """Use as a context manager; listens on .port."""

    def __init__(self, target_port, words, fates=(PASS, HOLD_REQUEST, HOLD_ANSWER)):
        self._target, self._words = ("127.0.0.1", target_port), words
        self._fates = itertools.cycle(fates)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._released = {HOLD_REQUEST: threading.Event(), HOLD_ANSWER: threading.Event()}
        self._counts = collections.Counter()
        self._lock = threading.Lock()

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        for fate in self._released:
            self.release(fate)
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes accept()
        self._listener.close()

    def count(self, fate):
        """How many requests with the words met it so far."""
        return self._counts[fate]

    def release(self, fate):
        """What was held goes on its way, and later ones are no longer held."""
        self._released[fate].set()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client, contextlib.suppress(OSError), socket.create_connection(self._target, timeout=60) as server:
            while self._forward(client, server):
                pass

    def _forward(self, client, server):
        """One piece of either direction; False when one end has no more to say."""
        ready, _, _ = select.select((client, server), (), ())
        if client in ready:
            data = client.recv(1 << 20)
            if not data:
                return False
            fate = self._next_fate() if self._words in data else PASS
            if fate == HOLD_REQUEST:
                self._released[fate].wait()
            server.sendall(data)
            if fate == HOLD_ANSWER:
                self._released[fate].wait()
            return True
        data = server.recv(1 << 20)
        if data:
            client.sendall(data)
        return bool(data)

    def _next_fate(self):
        with self._lock:
            fate = next(self._fates)
            self._counts[fate] += 1
        return fate
