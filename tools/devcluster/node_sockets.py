# SPDX-License-Identifier: Apache-2.0
"""Connections from this process into the network namespace of another one, without starting a program there."""

import ctypes
import http.client
import os
import socket
import threading

CLONE_NEWNET = 0x40000000


def enter_network_of(path):
    """Move the calling thread into a network namespace. Sockets that it has already opened stay where they are."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if ctypes.CDLL(None, use_errno=True).setns(handle, CLONE_NEWNET) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), path)
    finally:
        os.close(handle)


def call_in_network_of(process_id, function):
    """The result of function(), called in the network namespace of a process. Sockets that it opens stay there."""
    result = {}

    def call():  # in its own thread, which ends in the other namespace
        try:
            enter_network_of(f"/proc/{process_id}/ns/net")
            result["value"] = function()
        except Exception as error:  # raised again in the caller's thread
            result["error"] = error

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    if "error" in result:
        raise result["error"]
    return result["value"]


def http_body(process_id, port, path):
    """Body of a 200 answer to GET, else an empty string."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    connection.sock = call_in_network_of(process_id, lambda: socket.create_connection(("127.0.0.1", port), timeout=2))
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.read().decode() if answer.status == 200 else ""
    finally:
        connection.close()
