# SPDX-License-Identifier: Apache-2.0
"""values.schema.json of the chart slurm-cluster, from the schema of the operator's resources.

Guarantees  every field of SlurmCluster is a value, and of NodeSet one of nodesets[]; a misspelt name is refused, because the
            API server would remove it silently; values of soperator's chart that have no effect are accepted.
Does not    contain the CEL rules: the API server checks them.
"""

import json

# Of a CRD's schema, what a JSON schema has too. Defaults are those of the API server, not of the chart.
KEPT = ("description", "enum", "items", "maxItems", "maximum", "maxLength", "maxProperties", "minItems", "minimum", "minLength",
        "pattern", "required", "type")

# As in templates/_helpers.tpl.
WITHOUT_EFFECT = ("cudaVersion", "nodeExporter", "slurmScripts")
WITHOUT_EFFECT_IN_COMPONENTS = ("docker", "nodeExporter", "rbac", "serviceAccount")
IMAGES = ("mariaDB", "munge", "slurmctld", "slurmd", "slurmdbd", "slurmrestd", "soperatorExporter", "sshd")
IMAGES_WITHOUT_EFFECT = ("nodeExporter", "populateJail", "populateJailRepository", "populateJailTag", "sConfigController", "sssd")
COMPONENTS = ("accounting", "controller", "exporter", "login", "rest", "worker")

NO_EFFECT = {"description": "A value of soperator's chart without effect here."}
AMOUNT = {"type": ["integer", "string"]}  # Kubernetes refuses 0.5 in a resource of its own kind: write "500m" or "0.5"
STRINGS = {"type": "object", "additionalProperties": {"type": "string"}}


def text(cluster, node_set):
    """From the OpenAPI schemas of the two kinds."""
    return json.dumps(document(cluster["properties"]["spec"], node_set["properties"]["spec"]), indent=1) + "\n"


def document(cluster_spec, node_set_spec):
    found = strict(cluster_spec)
    values = found["properties"]
    values |= {
        "clusterName": {"type": "string", "maxLength": 40, "description": "Name of the SlurmCluster; the name of the release if empty."},
        "annotations": {**STRINGS, "description": "Annotations of the SlurmCluster."},
        "images": _images(),
        "imagePullPolicy": {"enum": ["", "Always", "IfNotPresent", "Never"], "description": "Of containers that have none of their own."},
        "imagePullSecrets": {"type": "array", "items": {"type": "object"}, "description": "Of containers that have none of their own."},
        "nodesets": {"type": "array", "items": _node_set(node_set_spec), "description": "NodeSets of the cluster."},
        "global": {"type": "object"},
        **{name: NO_EFFECT for name in WITHOUT_EFFECT}}
    values["home"] = _nullable(values["home"])
    values["healthCheckConfig"] = _nullable(values["healthCheckConfig"])
    values["topology"] = _nullable(values["topology"])
    components = values["slurmNodes"]["properties"]
    components["sssd"] = NO_EFFECT
    for name in COMPONENTS:
        components[name] = _component(components[name])
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Values of the chart slurm-cluster", **found}


def strict(openapi):
    """The schema without what only Kubernetes knows; objects have no other properties than their own."""
    if openapi.get("x-kubernetes-int-or-string"):
        return {**{key: openapi[key] for key in ("description",) if key in openapi}, **AMOUNT}
    found = {key: openapi[key] for key in KEPT if key in openapi}
    if "items" in found:
        found["items"] = strict(openapi["items"])
    if "properties" in openapi:
        found["properties"] = {name: strict(child) for name, child in openapi["properties"].items()}
    if "additionalProperties" in openapi:
        found["additionalProperties"] = strict(openapi["additionalProperties"])
    elif "properties" in openapi and not openapi.get("x-kubernetes-preserve-unknown-fields"):
        found["additionalProperties"] = False
    return found


def _component(schema):
    added = {"resources": {"type": "object", "additionalProperties": AMOUNT,
                           "description": "Replaces single amounts of the resources of the main container."},
             **{name: NO_EFFECT for name in WITHOUT_EFFECT_IN_COMPONENTS if name not in schema["properties"]}}
    return _nullable({**schema, "properties": {**schema["properties"], **added}})


def _node_set(spec):
    found = strict(spec)
    found["properties"] = {"name": {"type": "string", "minLength": 1, "maxLength": 40, "description": "Name of the NodeSet."},
                           "annotations": {**STRINGS, "description": "Annotations of the NodeSet."},
                           "labels": {**STRINGS, "description": "Labels of the NodeSet."}, **found["properties"]}
    found["required"] = [*found.get("required", ()), "name"]
    return found


def _images():
    return {"type": "object", "additionalProperties": False, "description": "Images of containers that have none of their own.",
            "properties": {**{name: {"type": "string"} for name in IMAGES}, **{name: NO_EFFECT for name in IMAGES_WITHOUT_EFFECT}}}


def _nullable(schema):
    return {**schema, "type": [schema["type"], "null"]}
