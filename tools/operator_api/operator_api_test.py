# SPDX-License-Identifier: Apache-2.0
"""The schema of the operator's resources, and what is generated from it."""

import contextlib
import importlib.machinery
import importlib.util
import re
import unittest
from pathlib import Path

import crd
import docs
import schema
import yaml_subset

HERE = Path(__file__).resolve().parent


def _program():
    loader = importlib.machinery.SourceFileLoader("generate", str(HERE / "generate"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("generate", loader))
    loader.exec_module(module)
    return module


GENERATE = _program()
SCHEMA = schema.read(GENERATE.SCHEMA)
CLUSTER, NODE_SET = SCHEMA.resources


def _openapi(resource):
    return crd.manifest(resource)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]


def _at(document, path):
    for name in path.split("."):
        document = document["properties"][name.removesuffix("[]")]
        if name.endswith("[]"):
            document = document["items"]
    return document


def _all_schemas(document):
    yield document
    for child in document.get("properties", {}).values():
        yield from _all_schemas(child)
    for key in ("items", "additionalProperties"):
        if isinstance(document.get(key), dict):
            yield from _all_schemas(document[key])


class Generated(unittest.TestCase):
    def test_the_committed_files_are_those_that_the_schema_gives(self):
        changed, extra = GENERATE.differences(GENERATE.wanted())
        names = [str(path.relative_to(GENERATE.TOP)) for path in [*changed, *extra]]
        self.assertEqual(names, [], "run tools/operator_api/generate and commit the result")

    def test_the_manifests_are_small_enough_for_kubectl_apply(self):
        """kubectl keeps the last applied object in an annotation; all annotations together have at most 262144 bytes."""
        for path, text in GENERATE.wanted().items():
            if path.suffix == ".yaml":
                self.assertLess(len(text), 250000, path)


class Resources(unittest.TestCase):
    def test_every_object_has_a_description_and_every_default_is_one_of_the_enum(self):
        for resource in SCHEMA.resources:
            for part in ("spec", "status"):
                for one in _all_schemas(_openapi(resource)["properties"][part]):
                    if "enum" in one and "default" in one:
                        self.assertIn(one["default"], one["enum"])
                for name, child in _openapi(resource)["properties"][part]["properties"].items():
                    self.assertTrue(child["description"], name)

    def test_every_rule_has_a_message_that_names_a_field_or_its_members(self):
        for resource in SCHEMA.resources:
            for one in _all_schemas(_openapi(resource)):
                for rule in one.get("x-kubernetes-validations", []):
                    self.assertRegex(rule["message"], r"^[a-zA-Z0-9.\[\]]+: .+|^set exactly one of", rule["rule"])

    def test_defaults_and_enums_are_those_of_the_reference(self):
        spec = _openapi(CLUSTER)["properties"]["spec"]
        for path, default in (("cgroupVersion", "v2"), ("maintenance", "none"), ("slurmConfig.maxJobCount", 20000),
                              ("slurmNodes.accounting.slurmdbdConfig.purgeUsageAfter", "24month"),
                              ("slurmNodes.rest.maxConnections", 10), ("topology.blockSize", 18)):
            self.assertEqual(_at(spec, path)["default"], default, path)
        self.assertEqual(_at(spec, "partitionConfiguration.configType")["enum"], ["default", "custom", "structured"])
        of_node_set = _openapi(NODE_SET)["properties"]["spec"]
        self.assertEqual(_at(of_node_set, "slurmd.volumes.sharedMemorySize")["default"], "64Gi")
        self.assertEqual(_at(of_node_set, "ephemeralTopologyWaitTimeout")["minimum"], 60)

    def test_nothing_that_the_reference_requires_is_required_except_keys_of_lists_and_health_checks(self):
        spec = _openapi(CLUSTER)["properties"]["spec"]
        required = {name for one in _all_schemas(spec) for name in one.get("required", [])}
        self.assertEqual(required, {"name", "mountPath", "path", "state", "healthCheckInterval", "healthCheckNodeState",
                                    "healthCheckProgram"})

    def test_both_kinds_can_be_scaled(self):
        for resource, path in ((CLUSTER, ".spec.slurmNodes.worker.size"), (NODE_SET, ".spec.replicas")):
            scale = crd.manifest(resource)["spec"]["versions"][0]["subresources"]["scale"]
            self.assertEqual(scale["specReplicasPath"], path)
            self.assertEqual(scale["labelSelectorPath"], ".status.labelSelector")

    def test_fields_below_an_accepted_field_are_reported_as_that_field(self):
        by_path = {field.path: field for field in CLUSTER.spec.walk()}
        image = by_path["spec.slurmNodes.exporter.exporterContainer.image"]
        self.assertEqual((image.mark, image.reported), ("accepted", "spec.slurmNodes.exporter"))
        limits = by_path["spec.slurmNodes.login.sshd.securityLimitsConfig"]
        self.assertEqual((limits.mark, limits.reported), ("accepted", "spec.slurmNodes.login.sshd.securityLimitsConfig"))
        self.assertEqual(by_path["spec.slurmNodes.login.sshd.image"].mark, "acted")

    def test_every_field_is_in_the_documentation(self):
        text = docs.text(SCHEMA)
        for resource in SCHEMA.resources:
            for path in [*resource.facts["spec"], *resource.facts["status"]]:
                self.assertIn(f"| `{path}` |" if path else "", text)

    def test_references_inside_lists_are_checked_item_by_item(self):
        rules = [rule["rule"] for rule in _openapi(CLUSTER)["properties"]["spec"]["x-kubernetes-validations"]]
        self.assertTrue(any(re.search(r"customMounts\.all\(i0, .*volumeSources\.exists\(t, t\.name == i0\.volumeSourceName\)", rule)
                            for rule in rules))


class Checks(unittest.TestCase):
    """The regular expressions; src/operator/api/checks_test.cpp has the same values for the C++ rules."""

    ROWS = (
        ("confValue", "/opt/prolog.sh", True), ("confValue", "a b", False), ("confValue", "a\nb", False), ("confValue", "a\n", False),
        ("confValue", "a\0b", False), ("confValue", "a#b", False), ("confValue", 'a"', False), ("confValue", "a\\", False),
        ("confValue", "é", False), ("confValue", "", True), ("confValue", "[0-7]~!$", True),
        ("confTokens", "a b=c", True), ("confTokens", "a\tb", False), ("confName", "a,b", False), ("confName", "", False),
        ("partitionLine", "PartitionName=a Nodes=ALL", True), ("partitionLine", "NodeName=a", False),
        ("slurmLines", "A=1\nB=2\t# x\n", True), ("slurmLines", "A=1\r\n", False), ("slurmLines", "A=\0", False),
        ("path", "/a", True), ("path", "a", False), ("path", "/a:b", False), ("nodeSetName", "ALL", False),
    )

    def test_values(self):
        for name, value, allowed in self.ROWS:
            expression = schema.CHECKS[name][0].removesuffix("$") + r"\Z"  # RE2's $ is the end of the text
            self.assertEqual(bool(re.match(expression, value)), allowed, f"{name}: {value!r}")

    def test_formats(self):
        for name, value, allowed in (("duration", "1h30m", True), ("duration", "5", False), ("promDuration", "1d", True),
                                     ("purgeAge", "12month", True), ("purgeAge", "12 months", False), ("userName", "a-b", True),
                                     ("userName", "A", False), ("image", "r.example.com/a/b:1@sha256:0", True), ("image", "a b", False)):
            expression = schema.FORMATS[name][0].removesuffix("$") + r"\Z"
            self.assertEqual(bool(re.match(expression, value)), allowed, f"{name}: {value!r}")


class WrongSchemas(unittest.TestCase):
    def field(self, **facts):
        schema._check_entry("spec.x", {"type": "string", "text": "A field.", **facts})

    def test_are_refused(self):
        self.field()
        for facts in ({"text": "no sentence"}, {"tpye": "string"}, {"mark": "ignored"}, {"mark": "refused"}, {"remedy": "x"},
                      {"check": "nothing"}, {"default": "a", "enum": ["b"]}):
            with self.assertRaises(schema.WrongSchema, msg=facts):
                self.field(**facts)


class YamlSubset(unittest.TestCase):
    def test_reads_what_a_library_reads(self):
        text = 'a: {b: [c, "d, e", 3], "": {}}\n# comment\nf:\n  - {g: true}\n  - {h: "x: \\"y\\""}\ni:\n  "": j\n  k[].l: m n\n'
        self.assertEqual(yaml_subset.load(text), {"a": {"b": ["c", "d, e", 3], "": {}}, "f": [{"g": True}, {"h": 'x: "y"'}],
                                                  "i": {"": "j", "k[].l": "m n"}})

    def test_reads_the_schema_as_a_library_does(self):
        with contextlib.suppress(ImportError):  # tools/setup does not install one
            import yaml
            for path in GENERATE.SCHEMA.glob("*.yaml"):
                text = path.read_text(encoding="utf-8")
                self.assertEqual(yaml_subset.load(text), yaml.safe_load(text), path)

    def test_anything_else_is_an_error_with_its_line(self):
        for text in ("a: 1\na: 2", "a: {b: 1", "a: |\n  x", "a: 'b'", "a:\n    b: 1\n  c: 2", "- a\nb: c", "a: [b] c", "a b"):
            with self.assertRaisesRegex(SyntaxError, "line [0-9]", msg=text):
                yaml_subset.load(text)


if __name__ == "__main__":
    unittest.main()
