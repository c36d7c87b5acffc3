# SPDX-License-Identifier: Apache-2.0
"""A TCP proxy on loopback that delays selected requests or answers, like a slow network.

Guarantees  bytes are forwarded unchanged and in order. Of the connections whose request contains a text, in turn: one
            passes, one has its request held, one has its request forwarded and the answer held. What is held arrives
            when it is released, also after the client's own deadline.
Does not    decrypt TLS; drop what it holds.
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
        """How many requests with the text had this fate so far."""
        return self._counts[fate]

    def release(self, fate):
        """Forward what was held; later requests are no longer held."""
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
        """One chunk in either direction; False if one end closed the connection."""
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
