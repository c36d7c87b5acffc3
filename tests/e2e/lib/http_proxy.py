# SPDX-License-Identifier: Apache-2.0
"""An HTTP proxy on loopback in front of slurmrestd, with limits of real proxies.

Guarantees  a request whose line is longer than `longest_line` is answered 414 without Slurm's envelope and is not
            forwarded; a request whose path contains `slow_path` is forwarded after `delay` seconds; other requests are
            forwarded unchanged.
"""

import contextlib
import http.client
import http.server
import threading
import time

HOP_BY_HOP = ("connection", "keep-alive", "transfer-encoding", "content-length", "host")


class HttpProxy:
    """Use as a context manager; listens on .port."""

    def __init__(self, target_port, longest_line=65536, slow_path=None, delay=0):
        self.refused = self.delayed = 0
        self._target, self._longest_line = target_port, longest_line
        self._slow_path, self._delay = slow_path, delay
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_request(self):
                with contextlib.suppress(OSError):
                    proxy._handle(self)

            do_GET = do_POST = do_DELETE = handle_request

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, request):
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        if len(request.requestline) > self._longest_line:
            self.refused += 1
            return _answer(request, 414, [("Content-Type", "text/html")], b"<html>414 Request-URI Too Large</html>")
        if self._slow_path and self._slow_path in request.path:
            self.delayed += 1
            time.sleep(self._delay)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in HOP_BY_HOP}
        server = http.client.HTTPConnection("127.0.0.1", self._target, timeout=60)
        with contextlib.closing(server):
            server.request(request.command, request.path, body or None, headers)
            answer = server.getresponse()
            _answer(request, answer.status, answer.getheaders(), answer.read())


def _answer(request, status, headers, body):
    request.send_response_only(status)
    for name, value in headers:
        if name.lower() not in HOP_BY_HOP:
            request.send_header(name, value)
    if status != 304:
        request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)
