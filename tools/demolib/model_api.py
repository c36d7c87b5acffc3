# SPDX-License-Identifier: Apache-2.0
"""Requests to one of the sandbox's two servers: plain HTTP on loopback, never through a proxy.

Guarantees  an answer other than 2xx raises Refused with the server's message. Each request has a new connection.
"""

import http.client
import json
from urllib.parse import urlsplit


class Refused(Exception):
    """The server answered with an error; .status is the HTTP status."""

    def __init__(self, status, message):
        super().__init__(f"{status} {message}")
        self.status = status


class ModelApi:
    def __init__(self, address, headers=None, timeout=10):
        self._place, self._headers, self._timeout = urlsplit(address), headers or {}, timeout

    def ask(self, method, path, body=None, content_type="application/json"):
        connection = self.open(method, path, body, content_type)
        try:
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        if answer.status >= 300:
            raise Refused(answer.status, _message(text))
        return text

    def open(self, method, path, body=None, content_type="application/json"):
        """The connection after the request was sent, for callers that read the answer as a stream."""
        connection = http.client.HTTPConnection(self._place.hostname, self._place.port, timeout=self._timeout)
        headers = {**self._headers, **({"Content-Type": content_type} if body is not None else {})}
        connection.request(method, path, body, headers)
        return connection


def _message(text):
    try:
        return json.loads(text)["message"]
    except (ValueError, KeyError, TypeError):
        return text.strip()
