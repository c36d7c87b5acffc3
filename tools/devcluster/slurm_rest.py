# SPDX-License-Identifier: Apache-2.0
"""The requests to slurmrestd that the dev cluster needs."""

import http.client
import json

API = "/slurm/v0.0.45"


class Refused(Exception):
    """Slurm refused a request; str() has its errors."""


def call(port, token, method, path, body=None):
    """The decoded answer to one request below API. Raises Refused or OSError."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        headers = {"X-SLURM-USER-TOKEN": token, "Content-Type": "application/json"}
        connection.request(method, API + path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read().decode(errors="replace")
    finally:
        connection.close()
    try:
        answer = json.loads(text)
    except ValueError:
        raise Refused(f"{method} {path}: {response.status} {text.strip()[:200]}") from None
    errors = [f"{error.get('error_number')} {error.get('description') or error.get('error')}"
              for error in answer.get("errors", [])]
    if response.status >= 300 or errors:
        raise Refused(f"{method} {path}: {response.status} {'; '.join(errors)}")
    return answer


def status(port, path):
    """The HTTP status of a GET without a token; any answer means that a server runs there."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()
