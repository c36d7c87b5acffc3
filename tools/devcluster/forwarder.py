# SPDX-License-Identifier: Apache-2.0
"""Forwards TCP connections between this machine's loopback and the closed network of real nodes.

  forwarder.py NAMESPACE PORT=ADDRESS:PORT...

The listening sockets are opened on 127.0.0.1 of the network namespace in which the program starts. Then the program moves
into NAMESPACE (a path such as /proc/PID/ns/net), and every outgoing connection is made there. No route between the two
networks is needed.
"""

import asyncio
import contextlib
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import node_sockets  # noqa: E402 (beside this file)

CHUNK = 64 * 1024
BACKLOG = 128


def parse(argument):
    """(listening port, address, port) of PORT=ADDRESS:PORT."""
    port, target = argument.split("=")
    address, target_port = target.rsplit(":", 1)
    return int(port), address, int(target_port)


async def forward(reader, writer, address, port):
    with contextlib.closing(writer):
        try:
            far_reader, far_writer = await asyncio.open_connection(address, port)
        except OSError:
            return  # the client sees a closed connection, as of a server that is down
        with contextlib.closing(far_writer):
            await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))


async def _copy(reader, writer):
    """Copy until the end of the stream, then pass the end on: the other direction may still have data."""
    with contextlib.suppress(OSError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(OSError, RuntimeError):
        writer.write_eof()


async def serve(listening):
    for opened, address, port in listening:
        await asyncio.start_server(lambda reader, writer, to=(address, port): forward(reader, writer, *to), sock=opened)
    await asyncio.Event().wait()


def main(namespace, arguments):
    listening = []
    for port, address, target_port in map(parse, arguments):
        opened = socket.create_server(("127.0.0.1", port), backlog=BACKLOG)
        listening.append((opened, address, target_port))
    node_sockets.enter_network_of(namespace)
    asyncio.run(serve(listening))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
