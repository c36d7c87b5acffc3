# SPDX-License-Identifier: Apache-2.0
"""kwok's source with three small changes, so that it behaves like kubelets during failures.

Expects     the module as `go mod download -json` describes it, in exactly the version below.
Guarantees  every change is applied exactly once, or an error is raised: the changes must be reviewed for a new version of kwok.
"""

import hashlib
import shutil
from pathlib import Path

MODULE = "sigs.k8s.io/kwok"
VERSION = "0.8.0"
CHECKSUM = "h1:OTIOTwgROqPMovcTwxICx2eYQ4AwLpSx5EpjbDKF4SQ="

_UTILS = "pkg/kwok/controllers/utils.go"
_CONTROLLER = "pkg/kwok/controllers/controller.go"

# (file, text, replacement, reason)
CHANGES = (
    (_UTILS,
     "\t// ignore all other cases\n\treturn false\n",
     "\treturn !apierrors.IsNotFound(err) && !apierrors.IsInvalid(err) && !apierrors.IsForbidden(err)\n",
     "A write that dies with the API server (EOF, reset) was dropped for good: the pod stayed Pending or Terminating. "
     "A kubelet tries again."),
    (_UTILS,
     "Duration: 1 * time.Second, Factor: 2.0, Jitter: 0.2, Cap: 32 * time.Minute",
     "Duration: 200 * time.Millisecond, Factor: 2.0, Jitter: 0.2, Cap: 2 * time.Second",
     "Ten API server crashes in a row must not make a pod wait for minutes."),
    (_CONTROLLER,
     'return hostname + "_" + string(uuid.NewUUID()), nil',
     '_ = uuid.NewUUID\n\treturn hostname + "_kwok", nil',
     "With a new identity per start, a restarted kwok waits 40 s for the node leases of its former self. "
     "There is one kwok per cluster, and a kubelet's identity is its node."),
)


# Name of the build in the cache: other changes have another name.
BUILD = f"{VERSION}-{hashlib.sha256(repr(CHANGES).encode()).hexdigest()[:8]}"


class UnexpectedSource(Exception):
    """The downloaded source is not the one that the changes were written for."""


def prepare(module, destination):
    """Copy the downloaded module to destination, changed."""
    if module.get("Version") != f"v{VERSION}" or module.get("Sum") != CHECKSUM:
        raise UnexpectedSource(f"{MODULE} {module.get('Version')} has checksum {module.get('Sum')}, "
                               f"expected v{VERSION} {CHECKSUM}")
    # Go keeps its module cache read-only; the copy must be writable.
    shutil.copytree(module["Dir"], destination, copy_function=shutil.copyfile)
    for folder in (destination, *(path for path in destination.rglob("*") if path.is_dir())):
        folder.chmod(0o755)
    for file, text, replacement, reason in CHANGES:
        path = Path(destination) / file
        source = path.read_text()
        if source.count(text) != 1:
            raise UnexpectedSource(f"{file} of kwok {VERSION} does not read as expected; reason of the change: {reason}")
        path.write_text(source.replace(text, replacement))
