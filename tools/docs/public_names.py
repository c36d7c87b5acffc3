# SPDX-License-Identifier: Apache-2.0
"""Public names, extracted from the sources.

Guarantees  names_in_code() finds every metric that is registered, every key under slurm.net and every reason; no code is run.
Does not    extract flags, configuration keys and environment variables: settings_test.cpp compares those with the page.
"""

import re
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PAGE = TOP / "docs/public-names.md"

# Folders whose code writes reasons and condition types. Models and tests are not part of the product.
_REASON_FOLDERS = ("src/bridge", "src/workload", "apps/slurm-bridge")
_ALL_FOLDERS = ("src", "apps/slurm-bridge")

# Capitalized words in those folders that belong to Kubernetes, Slurm or HTTP. Any other name is a public name of this
# project and has to be in the document.
FOREIGN = frozenset("""
    AdmissionReview Allow Always BadRequest CN Connection DaemonSet DiskPressure Equal Exists Failed Failure False Feature
    Forbidden Gres GresConf Hostname InternalError InternalIP Invalid Job JobSet JSONPatch KubeSchedulerConfiguration Lease
    LeaderWorkerSet MemoryPressure Never NoExecute NoSchedule Node NodeAddr NodeName None Normal NotIn NotReady
    PersistentVolumeClaim Pod PodGroup PodGroupScheduled PodInfo PreferNoSchedule Ready ReplicaSet ReplicationController
    ReadWriteOncePod SelfSubjectReview ServiceUnavailable Slurm StatefulSet Succeeded Topology True Unknown
    WaitForFirstConsumer Warning Available Bound Deployment Resources Priority CronJob DoesNotExist Filesystem Gt In Lt MiB
    Namespace
""".split())

# Keys under slurm.net that are prefixes of others.
_PREFIXES = frozenset(("slinky.slurm.net/", "slurmjob.slinky.slurm.net/"))

_METRIC = re.compile(r'(?:counters?|gauges?|histograms?)\(\s*\{"([a-z_]+)"')
_CALL_METRICS = re.compile(r'CallMetrics::add_to\(\s*\w+,\s*"([a-z_]+)"')
_CALL_SUFFIX = re.compile(r'prefix \+ "(_[a-z_]+)"')
_KEY = re.compile(r'"((?:[a-z-]+\.)*slurm\.net(?:/[A-Za-z-]*)?)"')
_REASON = re.compile(r'"([A-Z][a-z]+(?:[A-Z][a-zA-Z]*)*)"')


def names_in_code(top=TOP):
    """The names by section of the document."""
    return {
        "Metrics": _metrics(top),
        "Labels, annotations, taints, finalizers": _matches(top, _ALL_FOLDERS, _KEY) - _PREFIXES,
        "Condition types and reasons": _matches(top, _REASON_FOLDERS, _REASON) - FOREIGN,
    }


def names_in_page(text):
    """The names by section: the first column of its tables, every name in backticks. A list, so that duplicates are
    visible."""
    sections = {}
    title = ""
    for line in text.splitlines():
        if line.startswith("## "):
            title = line[3:].strip()
            sections[title] = []
        elif line.startswith("| `"):
            sections[title] += re.findall(r"`([^`]+)`", line.split("|")[1])
    return sections


def _metrics(top):
    found = _matches(top, _ALL_FOLDERS, _METRIC)
    suffixes = _matches(top, _ALL_FOLDERS, _CALL_SUFFIX)
    return found | {prefix + suffix for prefix in _matches(top, _ALL_FOLDERS, _CALL_METRICS) for suffix in suffixes}


def _matches(top, folders, pattern):
    found = set()
    for folder in folders:
        for path in sorted((top / folder).rglob("*")):
            if _is_product(path.relative_to(top)):
                found.update(pattern.findall(_without_comments(path.read_text(encoding="utf-8"))))
    return found


def _is_product(path):
    is_source = path.suffix in (".cpp", ".h")
    is_test = path.stem.endswith(("_test", "_bench")) or path.stem.startswith("testing") or "testing" in path.parts
    return is_source and not is_test and path.parts[:2] != ("src", "models")


def _without_comments(text):
    return re.sub(r"(?m)^\s*//.*$", "", text)
