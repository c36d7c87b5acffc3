# SPDX-License-Identifier: Apache-2.0
"""The admission webhook: its own process, a certificate for it, and its registration at the API server."""

import contextlib
import os
import random
import socket
import subprocess

from lib.bridge import Bridge
from lib.cluster import TOP
from lib.waiting import eventually

CONFIGURATIONS = ("mutating", "validating")
REGISTRY = "/apis/admissionregistration.k8s.io/v1"


class Webhook:
    """Guarantees  its registration and its process are removed after `with`."""

    def __init__(self, here, config=None):
        self._here = here
        self._folder = here.folder / f"webhook-{here.test.label}"
        self._folder.mkdir(exist_ok=True)
        self._certificates = self._folder / "certificates"
        self._certificates.mkdir(exist_ok=True)
        self.process = Bridge(here.cluster, self._folder, role="admission")
        if config is not None:
            (self._folder / "config.yaml").write_text(config)
        self._port = _free_port()  # it must be the same after a restart

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.unregister()
        self.process.end()

    def start(self):
        self.process.start(flags=["--webhook-bind-address=127.0.0.1", f"--webhook-port={self._port}",
                                  f"--webhook-cert-path={self._certificates}"])
        eventually(lambda: self.process.died or "listening for=probes" in self.process.log_text(), 30, "the webhook starts")
        return self

    def serves_within(self, seconds):
        eventually(lambda: self.process.died or self.process.probe("/readyz")[0] == 200, seconds,
                   lambda: f"the webhook is ready: {self.process.died or self.process.probe('/readyz?verbose')}")
        assert self.process.running, self.process.died
        return self

    def make_certificate(self):
        """A new authority, and a certificate signed by it for 127.0.0.1."""
        self._openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=e2e webhook CA",
                      "-keyout", "ca.key", "-out", "ca.crt")
        self._openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=e2e webhook",
                      "-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE",
                      "-CA", "ca.crt", "-CAkey", "ca.key", "-keyout", "tls.key", "-out", "tls.crt")
        for name in ("tls.key", "tls.crt"):
            (self._folder / name).replace(self._certificates / name)
        return self

    def register(self, *flags):
        """With the configurations of deploy/webhook."""
        text = subprocess.run([TOP / "deploy/webhook/render", "--ca-file", self._folder / "ca.crt", "--url",
                               f"https://127.0.0.1:{self._port}", *flags], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        environment = self._here.cluster.environment
        done = subprocess.run(["kubectl", "apply", "-f", "-"], input=text, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT,
                              env={"PATH": f"{environment['PATH']}:{os.environ['PATH']}", "HOME": str(self._folder),
                                   "KUBECONFIG": environment["KUBECONFIG"]})
        assert done.returncode == 0, done.stdout
        return self

    def unregister(self):
        for kind in CONFIGURATIONS:
            with contextlib.suppress(Exception):  # it does not exist
                self._here.kubernetes.delete(f"{REGISTRY}/{kind}webhookconfigurations/slurm-bridge-admission")

    def _openssl(self, *arguments):
        done = subprocess.run(["openssl", *arguments], cwd=self._folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        assert done.returncode == 0, f"openssl {arguments[0]}: {done.stdout}"


def _free_port():
    """A port outside the kernel's range for outgoing connections."""
    for port in random.sample(range(10000, 20000), 100):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")
