# SPDX-License-Identifier: Apache-2.0
"""Keys, certificates and kubeconfigs of one cluster, all below its folder.

Guarantees  a certificate or key never changes while the cluster exists, so tokens and kubeconfigs survive restarts;
            each file is written atomically.
Does not    renew anything: certificates are valid for ten years.
"""

import base64
import os
import subprocess

import node_files
import real_node

_DAYS = "3650"

# Own configuration: that of the distribution would add its own extensions.
_OPENSSL_CONFIG = "[req]\ndistinguished_name=dn\nprompt=no\n[dn]\n"

_AUTHORITY = ("basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign")
_CLIENT = ("basicConstraints=critical,CA:FALSE", "extendedKeyUsage=clientAuth")
_SERVER = ("basicConstraints=critical,CA:FALSE", "extendedKeyUsage=serverAuth",
           f"subjectAltName=IP:127.0.0.1,IP:10.96.0.1,IP:{real_node.CONTROL_PLANE_ADDRESS},DNS:localhost,DNS:kubernetes,"
           "DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local")

# Clients with a certificate. The name is the user in the audit log and in RBAC.
CLIENTS = {
    "admin": "/O=system:masters/CN=admin",
    "controller-manager": "/CN=system:kube-controller-manager",
    "scheduler": "/CN=system:kube-scheduler",
    "kwok": "/O=system:masters/CN=kwok",
}

# Further clients of a cluster with real nodes.
KUBELET_CLIENT, AGGREGATOR, KUBE_PROXY = "kubelet-client", "aggregator", "kube-proxy"
REAL_NODE_CLIENTS = {
    KUBELET_CLIENT: "/O=system:masters/CN=kube-apiserver-kubelet-client",
    AGGREGATOR: f"/CN={AGGREGATOR}",
    KUBE_PROXY: "/CN=system:kube-proxy",
}


def folder(cluster):
    return cluster.folder / "pki"


def create(cluster):
    """Create what is missing: the authority, one server certificate, client certificates, the service accounts' key."""
    home = folder(cluster)
    home.mkdir(mode=0o700, exist_ok=True)
    (home / "openssl.cnf").write_text(_OPENSSL_CONFIG)
    _certificate(home, "ca", "/CN=slurm-bridge dev cluster", _AUTHORITY)
    _certificate(home, "server", "/CN=server", _SERVER, authority="ca")
    for name, subject in CLIENTS.items():
        _certificate(home, name, subject, _CLIENT, authority="ca")
        _write(kubeconfig_path(cluster, name), _kubeconfig(cluster, name, _certificate_user(home, name)))
    _service_account_key(home)
    if cluster.options["real_nodes"]:
        for name, subject in REAL_NODE_CLIENTS.items():
            _certificate(home, name, subject, _CLIENT, authority="ca")


def write_node_files(cluster, node, destination):
    """ca.crt, kubelet.crt, kubelet.key and the kubeconfigs of kubelet and kube-proxy, for one real node."""
    home, own = folder(cluster), f"kubelet-{node.name}"
    _certificate(home, own, f"/O=system:nodes/CN=system:node:{node.name}",
                 ("basicConstraints=critical,CA:FALSE", "extendedKeyUsage=serverAuth,clientAuth",
                  f"subjectAltName=IP:{node.address},DNS:{node.name}"), authority="ca")
    for source, name in (("ca.crt", "ca.crt"), (f"{own}.crt", "kubelet.crt"), (f"{own}.key", "kubelet.key")):
        node_files.write(destination / name, (home / source).read_text())
        (destination / name).chmod(0o600)
    for user, certificate in (("kubelet", own), (KUBE_PROXY, KUBE_PROXY)):
        path = destination / f"{user}.kubeconfig"
        credentials = _certificate_user(home, certificate)
        node_files.write(path, _kubeconfig(cluster, user, credentials, real_node.CONTROL_PLANE_ADDRESS))
        path.chmod(0o600)


def kubeconfig_path(cluster, name):
    """The administrator's kubeconfig is for users; those of the components stay with the keys."""
    return cluster.folder / "kubeconfig" if name == "admin" else folder(cluster) / f"{name}.kubeconfig"


def write_token_kubeconfig(cluster, account, token):
    """cluster.folder/kubeconfig.ACCOUNT: for processes outside the cluster that use a service account."""
    path = token_kubeconfig_path(cluster, account)
    _write(path, _kubeconfig(cluster, account, f"token: {token}"))
    return path


def token_kubeconfig_path(cluster, account):
    return cluster.folder / f"kubeconfig.{account}"


def _certificate(home, name, subject, extensions, authority=None):
    """NAME.key and NAME.crt; the certificate is written last, so its existence means that both exist."""
    certificate, key, draft = home / f"{name}.crt", home / f"{name}.key", home / f"{name}.draft"
    if certificate.exists():
        return
    command = ["req", "-x509", "-new", "-config", "openssl.cnf", "-newkey", "ec", "-pkeyopt",
               "ec_paramgen_curve:prime256v1", "-nodes", "-days", _DAYS, "-subj", subject, "-keyout", key, "-out", draft]
    for extension in extensions:
        command += ["-addext", extension]
    if authority is not None:
        command += ["-CA", f"{authority}.crt", "-CAkey", f"{authority}.key"]
    _openssl(home, *command)
    os.replace(draft, certificate)


def _service_account_key(home):
    private, public, draft = home / "service-accounts.key", home / "service-accounts.pub", home / "public.draft"
    if not public.exists():
        _openssl(home, "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", private)
        _openssl(home, "ec", "-in", private, "-pubout", "-out", draft)
        os.replace(draft, public)


def _openssl(home, *arguments):
    done = subprocess.run(["openssl", *map(str, arguments)], cwd=home, text=True, umask=0o077,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {arguments[0]} failed: {done.stderr.strip()}")


def _certificate_user(home, name):
    return (f"client-certificate-data: {_base64(home / f'{name}.crt')}\n"
            f"    client-key-data: {_base64(home / f'{name}.key')}")


def _kubeconfig(cluster, user, credentials, address="127.0.0.1"):
    return f"""apiVersion: v1
kind: Config
clusters:
- name: {cluster.name}
  cluster:
    server: https://{address}:{cluster.port("apiserver")}
    certificate-authority-data: {_base64(folder(cluster) / "ca.crt")}
users:
- name: {user}
  user:
    {credentials}
contexts:
- name: {cluster.name}
  context:
    cluster: {cluster.name}
    user: {user}
current-context: {cluster.name}
"""


def _base64(path):
    return base64.b64encode(path.read_bytes()).decode()


def _write(path, text):
    draft = path.with_name(path.name + ".draft")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    os.replace(draft, path)
