# SPDX-License-Identifier: Apache-2.0
import unittest
from fractions import Fraction

from lib.requests import number, requests_of

Gi = 2**30


def asks(cpu=None, limit=None, **more):
    """A container."""
    resources = {**({"requests": {"cpu": cpu}} if cpu else {}), **({"limits": {"cpu": limit}} if limit else {})}
    return {"resources": resources, **more}


def sidecar(cpu):
    return asks(cpu, restartPolicy="Always")


class Numbers(unittest.TestCase):
    def test_quantities_are_read_as_kubernetes_writes_them(self):
        for text, want in (("2", 2), ("100m", Fraction(1, 10)), ("1.5", Fraction(3, 2)), ("1Gi", Gi), ("500M", 500 * 10**6),
                           ("1e3", 1000), ("2E", 2 * 10**18), ("1Ki", 1024), ("250u", Fraction(1, 4000)), (3, 3)):
            self.assertEqual(number(text), want, text)

    def test_other_text_is_not_a_quantity(self):
        for text in ("", "1 Gi", "Gi", "1Qi"):
            with self.assertRaises(ValueError, msg=text):
                number(text)


class Requests(unittest.TestCase):
    CASES = (
        ("nothing asked", {"containers": [{}]}, {}),
        ("containers add up", {"containers": [asks("1"), asks("500m")]}, {"cpu": Fraction(3, 2)}),
        ("a limit alone is a request", {"containers": [asks(limit="3")]}, {"cpu": 3}),
        ("a request takes precedence over its limit", {"containers": [asks("1", limit="3")]}, {"cpu": 1}),
        ("also a request of zero", {"containers": [asks("0", limit="3")]}, {}),
        ("the largest init container counts", {"initContainers": [asks("4"), asks("3")], "containers": [asks("1")]},
         {"cpu": 4}),
        ("a smaller init container does not", {"initContainers": [asks("1")], "containers": [asks("2")]}, {"cpu": 2}),
        ("a sidecar runs together with the containers", {"initContainers": [sidecar("1")], "containers": [asks("2")]}, {"cpu": 3}),
        ("and with the init containers after it",
         {"initContainers": [sidecar("1"), asks("4")], "containers": [asks("2")]}, {"cpu": 5}),
        ("but not with those before it",
         {"initContainers": [asks("4"), sidecar("1")], "containers": [asks("2")]}, {"cpu": 4}),
        ("overhead is added", {"containers": [asks("1")], "overhead": {"cpu": "250m"}}, {"cpu": Fraction(5, 4)}),
        ("resources of the pod take precedence over its containers",
         {"containers": [asks("1"), asks("1")], "resources": {"requests": {"cpu": "8"}}}, {"cpu": 8}),
        ("its limit alone counts if no container has a request", {"containers": [{}], "resources": {"limits": {"cpu": "6"}}},
         {"cpu": 6}),
        ("and not if one has", {"containers": [asks("1")], "resources": {"limits": {"cpu": "6"}}}, {"cpu": 1}),
        ("overhead is added to that too",
         {"containers": [{}], "resources": {"requests": {"cpu": "8"}}, "overhead": {"cpu": "1"}}, {"cpu": 9}),
        ("extended resources count, by their limits as well",
         {"containers": [{"resources": {"limits": {"nvidia.com/gpu": "2"}}},
                         {"resources": {"requests": {"nvidia.com/gpu": 1}}}]}, {"nvidia.com/gpu": 3}),
        ("devices of a class do not: a node has no amount of them",
         {"containers": [{"resources": {"limits": {"deviceclass.resource.kubernetes.io/gpu.nvidia.com": "1"}}}]}, {}),
    )

    def test_requests_are_counted_as_kubernetes_counts_them(self):
        for name, spec, want in self.CASES:
            with self.subTest(name):
                self.assertEqual(requests_of({"spec": spec}), {"pods": 1, **want})


if __name__ == "__main__":
    unittest.main()
