# SPDX-License-Identifier: Apache-2.0
"""The few calls that the dev cluster itself makes to its API server, as administrator.

Guarantees  an answer other than 2xx raises Refused with the server's message.
Does not    retry, watch or page. One Api is for one thread.
"""

import http.client
import json
import ssl

import pki


class Refused(Exception):
    """The API server answered with an error; .status is the HTTP status."""

    def __init__(self, method, path, status, message):
        super().__init__(f"{method} {path}: {status} {message}")
        self.status = status


class Api:
    """A kept-alive connection; use as a context manager."""

    def __init__(self, cluster, timeout=10):
        keys = pki.folder(cluster)
        context = ssl.create_default_context(cafile=keys / "ca.crt")
        context.load_cert_chain(keys / "admin.crt", keys / "admin.key")
        self._connection = http.client.HTTPSConnection("127.0.0.1", cluster.port("apiserver"), timeout=timeout,
                                                       context=context)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()

    def get(self, path):
        return json.loads(self._request("GET", path))

    def text(self, path):
        return self._request("GET", path).decode()

    def post(self, path, body):
        return json.loads(self._request("POST", path, body))

    def create(self, path, body):
        """POST; an object that exists already is not an error and is not changed."""
        try:
            self.post(path, body)
        except Refused as refused:
            if refused.status != 409:
                raise

    def patch(self, path, body):
        """A merge patch: null removes a field."""
        return json.loads(self._request("PATCH", path, body, "application/merge-patch+json"))

    def _request(self, method, path, body=None, content_type="application/json"):
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = content_type
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise Refused(method, path, answer.status, _message(content))
        return content


def _message(content):
    try:
        return json.loads(content)["message"]
    except (ValueError, KeyError, TypeError):
        return content.decode(errors="replace")
