# SPDX-License-Identifier: Apache-2.0
"""The API server, as its administrator.

Guarantees  an answer other than 2xx raises Refused, no answer raises Unreachable; each thread has a kept-alive
            connection of its own, which is opened again if the server closed it.
Does not    retry a request that may have had an effect: persistently() does, for idempotent calls.
"""

import base64
import http.client
import json
import re
import ssl
import tempfile
import threading
import time
import urllib.parse

from lib.waiting import pause

TIMEOUT_SECONDS = 15
PATCH_TYPES = {"merge": "application/merge-patch+json", "json": "application/json-patch+json",
               "strategic": "application/strategic-merge-patch+json", "apply": "application/apply-patch+yaml"}


class Refused(Exception):
    """The server refused the request; .status is the HTTP status."""

    def __init__(self, method, path, status, message):
        super().__init__(f"{method} {path}: {status} {message}")
        self.status = status


class Unreachable(Exception):
    """No answer: the request may or may not have had its effect."""


class Kubernetes:
    def __init__(self, kubeconfig):
        text = kubeconfig.read_text()
        server = urllib.parse.urlsplit(_setting(text, "server"))
        self.host, self.port = server.hostname, server.port
        self._context = _tls(text)
        self._of_thread = threading.local()

    def get(self, path):
        return self._call("GET", path)

    def find(self, path):
        """The object, or None if the server answers 404."""
        try:
            return self.get(path)
        except Refused as refused:
            if refused.status == 404:
                return None
            raise

    def create(self, path, body):
        return self._call("POST", path, body)

    def replace(self, path, body):
        return self._call("PUT", path, body)

    def patch(self, path, body, kind="merge"):
        return self._call("PATCH", path, body, PATCH_TYPES[kind])

    def delete(self, path, options=None):
        return self._call("DELETE", path, options)

    @property
    def warnings(self):
        """The warnings in the server's last answer to this thread."""
        return [header.split('"', 1)[1].rsplit('"', 1)[0].replace('\\"', '"') for header in self._of_thread.warnings]

    def _call(self, method, path, body=None, content_type="application/json"):
        headers = {"Accept": "application/json", "User-Agent": "e2e"}
        if body is not None:
            headers["Content-Type"] = content_type
            body = json.dumps(body)
        status, content = self._exchange(method, path, body, headers)
        if status >= 300:
            raise Refused(method, path, status, _message(content))
        return json.loads(content)

    def _exchange(self, method, path, body, headers):
        """An idle connection may be broken after a restart of the server: a read is repeated on a new one."""
        fresh = getattr(self._of_thread, "connection", None) is None
        try:
            return self._once(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            if fresh or method != "GET":
                raise Unreachable(f"{method} {path}: {error!r}") from error
        try:
            return self._once(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{method} {path}: {error!r}") from error

    def _once(self, method, path, body, headers):
        connection = getattr(self._of_thread, "connection", None)
        if connection is None:
            connection = http.client.HTTPSConnection(self.host, self.port, timeout=TIMEOUT_SECONDS,
                                                     context=self._context)
        self._of_thread.connection = None  # until the answer is complete
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
            self._of_thread.warnings = answer.headers.get_all("Warning") or []
        except BaseException:
            connection.close()
            raise
        self._of_thread.connection = connection
        return answer.status, content


def persistently(call, within=180):
    """Repeat call() while the server cannot be reached or is not ready."""
    deadline = time.monotonic() + within
    while True:
        try:
            return call()
        except (Unreachable, Refused) as error:
            passes = isinstance(error, Unreachable) or error.status in (403, 429) or error.status >= 500
            if not passes or time.monotonic() > deadline:
                raise
        pause()


def _setting(kubeconfig, name):
    """One value of a kubeconfig that devcluster wrote: a key and its value on one line."""
    found = re.search(rf"(?m)^\s*(?:- )?{name}:\s*(\S+)\s*$", kubeconfig)
    if found is None:
        raise ValueError(f"the kubeconfig has no {name}")
    return found.group(1)


def _tls(kubeconfig):
    def decoded(name):
        return base64.b64decode(_setting(kubeconfig, name)).decode()

    context = ssl.create_default_context(cadata=decoded("certificate-authority-data"))
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:  # 0600, and ssl reads files only
        file.write(decoded("client-certificate-data") + decoded("client-key-data"))
        file.flush()
        context.load_cert_chain(file.name)
    return context


def _message(content):
    try:
        return json.loads(content)["message"]
    except (ValueError, KeyError, TypeError):
        return content.decode(errors="replace")[:300]
