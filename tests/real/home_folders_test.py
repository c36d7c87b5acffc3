# SPDX-License-Identifier: Apache-2.0
"""The script of the sidecar `homes` (tests/golden/operator/parts), run by bash in a private /home.

Expects     root; otherwise the test is skipped with a reason (exit code 77).
Guarantees  the script is the one that the operator writes; nothing outside a temporary folder is changed.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
POD = TOP / "tests/golden/operator/parts/small/worker_pod/Pod.worker-1.json"
SKIPPED = 77
# Only the capability that the container has.
ENTER = ('mount --bind "$1/home" /home; mount --bind "$1/lib" /var/lib; '
         'exec setpriv --bounding-set=-all,+chown --inh-caps=-all bash -ec "$2" homes')


def passwd(name, uid, home=None):
    return f"{name}:*:{uid}:{uid}:{name}:{home or '/home/' + name}:/bin/bash\n"


class Homes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sb-homes-")
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)
        self.homes = self.top / "home"
        self.users = self.top / "lib/extrausers/passwd"
        self.homes.mkdir()
        self.homes.chmod(0o777)  # as an emptyDir
        self.users.parent.mkdir(parents=True)

    def start(self):
        containers = json.loads(POD.read_text())["spec"]["initContainers"]
        script = next(one["command"][2] for one in containers if one["name"] == "homes")
        daemon = subprocess.Popen(["unshare", "--mount", "--propagation", "private", "bash", "-ec", ENTER, "enter",
                                   str(self.top), script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.kill)
        return daemon

    def until(self, condition):
        deadline = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), deadline, "still not true after 30 s")
            time.sleep(0.05)

    def test_creates_the_missing_homes_also_of_later_users(self):
        self.users.write_text(passwd("alice", 2000))
        self.start()
        self.until((self.homes / "alice").exists)
        with self.users.open("a") as file:
            file.write(passwd("bob", 2001))
        self.until((self.homes / "bob").exists)
        found = {path.name: (path.stat().st_uid, path.stat().st_mode & 0o7777) for path in self.homes.iterdir()}
        self.assertEqual(found, {"alice": (2000, 0o700), "bob": (2001, 0o700)})
        self.assertEqual(self.homes.stat().st_mode & 0o777, 0o755, "no user may create the home of another one")

    def test_changes_nothing_that_exists_and_creates_nothing_else(self):
        target = self.top / "target"
        target.mkdir(0o755)
        (self.homes / "link").symlink_to(target)
        (self.homes / "own").mkdir(0o750)
        self.users.write_text(passwd("link", 2000) + passwd("own", 2001) + passwd("away", 2002, "/etc/away") +
                              passwd("..", 2003) + passwd("a/b", 2004) + passwd("root", 0) + "half:*:20\n" +
                              passwd("last", 2009))
        self.start()
        self.until((self.homes / "last").exists)
        self.assertEqual(sorted(path.name for path in self.homes.iterdir()), ["last", "link", "own"])
        self.assertEqual((target.stat().st_uid, (self.homes / "own").stat().st_mode & 0o777), (0, 0o750))

    def test_begins_again_after_it_was_killed(self):
        (self.homes / f".new-home.{os.uname().nodename}").mkdir()
        self.users.write_text(passwd("alice", 2000))
        self.start()
        self.until((self.homes / "alice").exists)
        self.assertEqual([path.name for path in self.homes.iterdir()], ["alice"])

    def test_ends_at_once(self):
        self.users.write_text(passwd("alice", 2000))
        daemon = self.start()
        self.until((self.homes / "alice").exists)
        daemon.send_signal(signal.SIGTERM)
        self.assertEqual(daemon.wait(timeout=3), 0)


if __name__ == "__main__":
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "setpriv"))):
        print("skipped: needs root, unshare and setpriv")
        sys.exit(SKIPPED)
    unittest.main()
