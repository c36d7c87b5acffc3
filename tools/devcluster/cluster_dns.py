# SPDX-License-Identifier: Apache-2.0
"""Whether cluster DNS answers in a node: CoreDNS runs, and the node's kube-proxy forwards its Service address to it."""

import socket
import struct

import node_sockets
import real_node

NAME = f"kubernetes.default.svc.{real_node.DNS_DOMAIN}"
TYPE_A, CLASS_IN, RECURSION_DESIRED = 1, 1, 0x0100


def answers(process_id, timeout=1):
    """Whether the network of that process gets an address for the API server's Service."""
    def ask():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.settimeout(timeout)
            client.connect((real_node.DNS_ADDRESS, 53))
            client.send(query(NAME))
            return answer_count(client.recv(512)) > 0

    try:
        return node_sockets.call_in_network_of(process_id, ask)
    except OSError:  # refused, unreachable or no answer yet
        return False


def query(name):
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    return struct.pack("!6H", 1, RECURSION_DESIRED, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!2H", TYPE_A, CLASS_IN)


def answer_count(message):
    return struct.unpack("!6H", message[:12])[3]
