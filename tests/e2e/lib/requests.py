# SPDX-License-Identifier: Apache-2.0
"""The requests of a pod and the resources of a node, counted as Kubernetes counts them.

Guarantees  exact numbers (Fraction), so that sums of millis and of binary units compare correctly.
Does not    count devices of a class (resource.k8s.io): drivers do, and nodes have no amount of them.
"""

import collections
import re
from fractions import Fraction

_SUFFIXES = {"n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "m": Fraction(1, 10**3), "": Fraction(1),
             **{letter: Fraction(1000**power) for power, letter in enumerate("kMGTPE", 1)},
             **{f"{letter}i": Fraction(1024**power) for power, letter in enumerate("KMGTPE", 1)}}
OF_A_DEVICE_CLASS = "deviceclass.resource.kubernetes.io/"
OF_THE_WHOLE_POD = ("cpu", "memory", "hugepages-")  # resources that spec.resources may set for the whole pod


def number(quantity):
    """"100m", "1.5Gi", "1e3", 2."""
    found = re.fullmatch(r"([0-9.]+(?:[eE][+-]?[0-9]+)?)([a-zA-Z]*)", str(quantity))
    if found is None or found[2] not in _SUFFIXES:
        raise ValueError(f"{quantity!r} is not a quantity")
    return Fraction(found[1]) * _SUFFIXES[found[2]]


def amounts(quantities):
    return collections.Counter({name: number(quantity) for name, quantity in (quantities or {}).items()})


def requests_of(pod):
    """{resource: amount} that the scheduler of Kubernetes would reserve; {"pods": 1} is always included."""
    spec = pod.get("spec", {})
    asked = _of_the_containers(spec)
    for name, amount in _of_the_pod(spec, asked).items():
        asked[name] = amount
    asked.update(amounts(spec.get("overhead")))  # Counter.update adds
    asked["pods"] = Fraction(1)
    return {name: amount for name, amount in asked.items() if amount and not name.startswith(OF_A_DEVICE_CLASS)}


def _of_the_containers(spec):
    """The containers that run together, or the largest init container with the sidecars that started before it."""
    together, sidecars, start = collections.Counter(), collections.Counter(), collections.Counter()
    for container in spec.get("initContainers") or ():
        asks = _asks(container.get("resources"))
        if container.get("restartPolicy") == "Always":
            sidecars.update(asks)
            start |= sidecars
        else:
            start |= sidecars + asks
    for container in spec.get("containers") or ():
        together.update(_asks(container.get("resources")))
    together.update(sidecars)
    return together | start  # the larger of both, per resource


def _of_the_pod(spec, of_containers):
    """spec.resources of the whole pod. A limit without a request counts if no container requests the resource."""
    resources = spec.get("resources") or {}
    requested = amounts(resources.get("requests"))
    for name, limit in amounts(resources.get("limits")).items():
        if name not in requested and not of_containers.get(name):
            requested[name] = limit
    return {name: amount for name, amount in requested.items() if name.startswith(OF_THE_WHOLE_POD)}


def _asks(resources):
    """A container's requests; a limit without a request counts as one."""
    resources = resources or {}
    return collections.Counter({**amounts(resources.get("limits")), **amounts(resources.get("requests"))})
