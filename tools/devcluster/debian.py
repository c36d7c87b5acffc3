# SPDX-License-Identifier: Apache-2.0
"""Packages of a newer Debian, unpacked into a folder.

Expects     root on a Debian machine with apt, dpkg-deb and tar; the mirror is the one that the machine itself uses
            (or DEBIAN_MIRROR).
Guarantees  the folder is complete or absent, also after an interrupt; the signature of every index is checked;
            `debs.lock` in it lists the packages.
Does not    install anything: no maintainer script runs, and the host's packages and apt state are never changed.
"""

import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
INDEX_MAX_AGE = 6 * 3600  # seconds; an index that proves to be outdated is renewed earlier
NOT_UNPACKED = ("./usr/share/doc/*", "./usr/share/man/*", "./usr/share/locale/*", "./usr/share/info/*")


class NotAvailable(Exception):
    """What is not available on this machine, why, and the command that helps."""

    def __init__(self, what, reason, remedy):
        super().__init__(f"{what} is not available: {reason}\n{remedy}")
        self.what, self.reason, self.remedy = what, reason, remedy


def unpack(packages, destination, suites=("forky",), pins=None, finish=None):
    """Unpack packages and their dependencies below destination; returns at once if it exists.

    suites  packages come from the first; the others provide only what is pinned to them or missing in the first
    pins    {"libmariadb3 mariadb-*": "trixie"}: names or patterns, and the suite they must come from
    finish  called with the folder before it gets its name, to add further files
    """
    def make(root):
        with _apt(root, suites, pins, " ".join(packages)) as apt:
            _unpack_all(apt.download(packages), root)
        if finish:
            finish(root)

    return made_once(destination, make)


def unpack_layers(layers, destination, suites=("forky",), pins=None, finish=None):
    """As unpack, into one folder per layer: destination/NAME has what {NAME: packages} needs and no layer before it has.

    All layers come from one index, so the versions in them fit together. A layer is complete only on top of all layers
    before it.
    """
    def make(folder):
        wanted, below = [], set()
        with _apt(folder, suites, pins, f"the packages of {', '.join(layers)}") as apt:
            for name, packages in layers.items():
                wanted += packages
                debs = apt.download(wanted)
                (folder / name).mkdir()
                _unpack_all([deb for deb in debs if deb not in below], folder / name)
                below.update(debs)
        if finish:
            finish(folder)

    return made_once(destination, make)


def made_once(destination, make):
    """The folder destination, created by make(folder) if it does not exist; complete or absent.

    Of two concurrent calls the second waits for the first.
    """
    destination = Path(destination)
    if destination.is_dir():
        return destination
    destination.parent.mkdir(parents=True, exist_ok=True)
    with _locked(destination.parent / f".{destination.name}.lock"):
        if not destination.is_dir():
            partial = destination.parent / f".{destination.name}.partial"
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir()
            try:
                make(partial)
                partial.rename(destination)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
    return destination


def versions(destination):
    """{package: version} of a folder that unpack created."""
    lines = (Path(destination) / "debs.lock").read_text().splitlines()
    return {name: version for name, version, _architecture in map(str.split, lines)}


def mirror():
    """The address of the Debian mirror that this machine uses, or None."""
    if os.environ.get("DEBIAN_MIRROR"):
        return os.environ["DEBIAN_MIRROR"]
    release = _os_release()
    if release.get("ID") != "debian":
        return None  # the mirror of a derivative does not have Debian's suites
    apt = Path("/etc/apt")
    one_line = [apt / "sources.list", *sorted((apt / "sources.list.d").glob("*.list"))]
    deb822 = sorted((apt / "sources.list.d").glob("*.sources"))
    sources = [entry for path in one_line if path.is_file() for entry in parse_one_line(path.read_text())]
    sources += [entry for path in deb822 for entry in parse_deb822(path.read_text())]
    return choose_mirror(sources, {release.get("VERSION_CODENAME"), "stable", "testing", "unstable", "sid"})


def choose_mirror(sources, own_suites):
    """Of [(uri, {suite})] Debian's own mirror: other repositories also use the names of Debian's suites."""
    found = [uri for uri, names in sources if own_suites & names]
    return next((uri for uri in found if uri.rstrip("/").endswith("/debian")), found[0] if found else None)


def parse_one_line(text):
    """[(uri, {suite})] of a sources.list."""
    found = []
    for line in text.splitlines():
        match = re.match(r"\s*deb\s+(?:\[[^]]*\]\s+)?(\S+)\s+(\S+)\s+main\b", line)
        if match:
            found.append((match.group(1), {match.group(2)}))
    return found


def parse_deb822(text):
    """[(uri, {suite})] of a .sources file."""
    found = []
    text = re.sub(r"(?m)^#.*\n?", "", text)
    for stanza in re.split(r"\n\s*\n", text):
        fields = {key.lower(): value.split() for key, value in re.findall(r"(?m)^(\S+):((?:.*(?:\n[ \t].*)*))", stanza)}
        enabled = fields.get("enabled") != ["no"]
        if enabled and "deb" in fields.get("types", []) and "main" in fields.get("components", []):
            found += [(uri, set(fields.get("suites", []))) for uri in fields.get("uris", [])]
    return found


@contextlib.contextmanager
def _apt(root, suites, pins, what):
    """An _Apt for files below root; its own files are removed at the end."""
    _check_host(what)
    work = root.with_name(root.name + ".apt")
    shutil.rmtree(work, ignore_errors=True)
    try:
        yield _Apt(work, root.parent / ".debian", suites, pins or {})
    finally:
        shutil.rmtree(work, ignore_errors=True)


class _Apt:
    """One download: its own package cache and preferences; the index is shared by all downloads of the folder."""

    def __init__(self, work, index, suites, pins):
        self.work, self.index, self.suites = work, index, suites
        for folder in (work / "etc/apt/apt.conf.d", work / "etc/apt/preferences.d", work / "cache/archives/partial",
                       work / "state", index / "lists/partial"):
            folder.mkdir(parents=True, exist_ok=True)
        (work / "state/status").write_text("")
        (work / "etc/apt/preferences").write_text(_preferences(suites, pins))
        (work / "apt.conf").write_text(_configuration(work, index))

    def download(self, packages):
        renewed = self._renew(INDEX_MAX_AGE)
        if not self._install(packages, check=renewed):  # the mirror has newer packages: fetch the index again
            self._renew(0)
            self._install(packages)
        return sorted((self.work / "cache/archives").glob("*.deb"))

    def _renew(self, max_age):
        """Fetch the index of each suite that is missing or older than max_age; True if all are new."""
        stamps = {suite: self.index / f"{suite}.updated" for suite in self.suites}
        with _locked(self.index / "lock"):
            stale = [suite for suite, stamp in stamps.items()
                     if not stamp.exists() or time.time() - stamp.stat().st_mtime >= max_age]
            if stale:
                self._sources(stale)
                self._run(["update"])
                for suite in stale:
                    stamps[suite].touch()
        return len(stale) == len(self.suites)

    def _install(self, packages, check=True):
        self._sources(self.suites)
        with _locked(self.index / "lock", fcntl.LOCK_SH):
            return self._run(["-y", "--download-only", "install", *packages], check).returncode == 0

    def _sources(self, suites):
        lines = [f"deb [signed-by={KEYRING}] {mirror()} {suite} main\n" for suite in suites]
        (self.work / "etc/apt/sources.list").write_text("".join(lines))

    def _run(self, arguments, check=True):
        done = subprocess.run(["apt-get", "-q", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "APT_CONFIG": str(self.work / "apt.conf"), "LC_ALL": "C"})
        if check and done.returncode != 0:
            errors = [line for line in done.stdout.splitlines() if line.startswith(("E:", "W:", "Err:"))]
            raise NotAvailable(f"Debian {'/'.join(self.suites)}", f"apt-get against {mirror()} failed:\n  "
                              + "\n  ".join(errors[-5:] or done.stdout.splitlines()[-5:]),
                              "Set a mirror that has it: DEBIAN_MIRROR=http://... and run again")
        return done


def _configuration(work, index):
    architecture = subprocess.run(["dpkg", "--print-architecture"], check=True, text=True,
                                  stdout=subprocess.PIPE).stdout.strip()
    # Dir::Bin::dpkg: apt would call the host's dpkg in spite of Dir; so it must not find one.
    # Check-Valid-Until: a cached or frozen mirror serves an expired Release file.
    return f"""
Dir "{work}"; Dir::State "{work}/state"; Dir::State::status "{work}/state/status"; Dir::State::lists "{index}/lists";
Dir::Cache "{work}/cache"; Dir::Bin::dpkg "/bin/false";
APT::Architecture "{architecture}"; APT::Architectures {{ "{architecture}"; }};
APT::Install-Recommends "false"; APT::Get::List-Cleanup "false"; APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::Languages "none"; Acquire::Check-Valid-Until "false"; Acquire::Retries "3";
{_host_network_settings()}"""


def _host_network_settings():
    """The host's own proxy and TLS settings, which may be needed to reach its mirror."""
    dump = subprocess.run(["apt-config", "dump"], text=True, stdout=subprocess.PIPE).stdout
    return "".join(f"{line}\n" for line in dump.splitlines() if re.match(r"Acquire::https?::\S+ ", line))


def _preferences(suites, pins):
    rules = [("*", suite, 900 if suite == suites[0] else 100) for suite in suites]
    rules += [(names, suite, 1001) for names, suite in pins.items()]
    return "\n".join(f"Package: {names}\nPin: release n={suite}\nPin-Priority: {priority}\n"
                     for names, suite, priority in rules)


def _unpack_all(debs, root):
    """Unpack the packages and list them in debs.lock."""
    root.chmod(0o755)  # independent of the umask: the programs in it may run as any user
    (root / "usr").mkdir()
    (root / "usr").chmod(0o755)
    for name in ("bin", "sbin", "lib", "lib64"):  # merged /usr, which a script of base-files would create
        (root / "usr" / name).mkdir()
        (root / "usr" / name).chmod(0o755)
        (root / name).symlink_to(f"usr/{name}")
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(lambda deb: _unpack_one(deb, root), debs))
    (root / "debs.lock").write_text("".join(f"{line}\n" for line in sorted(map(_lock_line, debs))))


def _unpack_one(deb, root):
    exclude = [f"--exclude={pattern}" for pattern in NOT_UNPACKED]
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as archive:
        subprocess.run(["tar", "-C", root, "--keep-directory-symlink", "--numeric-owner", *exclude, "-xf", "-"],
                       stdin=archive.stdout, check=True)
    if archive.returncode != 0:
        raise subprocess.CalledProcessError(archive.returncode, archive.args)


def _lock_line(deb):
    name, version, architecture = deb.name[: -len(".deb")].split("_")
    return f"{name} {version.replace('%3a', ':')} {architecture}"


def _check_host(what):
    if not all(shutil.which(tool) for tool in ("apt-get", "dpkg", "dpkg-deb", "tar")):
        raise NotAvailable(what, "this machine does not run Debian (no apt-get and dpkg)",
                          "Run in a Debian container: docker run --privileged -it -v $PWD:/src -w /src debian:12")
    if os.geteuid() != 0:
        raise NotAvailable(what, "files are unpacked with their owners, which needs root", "Run the same command with: sudo -E")
    if not KEYRING.is_file():
        raise NotAvailable(what, f"{KEYRING} is missing, so packages cannot be verified",
                          "Install it with: apt-get install debian-archive-keyring")
    if not mirror():
        raise NotAvailable(what, "the apt sources of this machine name no Debian mirror",
                          "Set one: DEBIAN_MIRROR=http://... and run again")


def _os_release():
    with contextlib.suppress(OSError):
        return dict(re.findall(r'(?m)^([A-Z_]+)="?([^"\n]*)', Path("/etc/os-release").read_text()))
    return {}


@contextlib.contextmanager
def _locked(path, how=fcntl.LOCK_EX):
    with open(path, "w") as lock:
        fcntl.flock(lock, how)
        yield
