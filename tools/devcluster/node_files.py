# SPDX-License-Identifier: Apache-2.0
"""Configuration files of a node's daemons."""


def write(path, text):
    """Write the file if its content differs: kube-proxy exits when its file is written, even with the same content."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
