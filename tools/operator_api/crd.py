# SPDX-License-Identifier: Apache-2.0
"""CustomResourceDefinitions from the schema."""

import json
import re

from schema import CHECKS, FORMATS, GROUP, ITEM_LENGTH

_QUANTITY = r"^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)(([KMGTPE]i)|[numkMGTPE]|([eE][+-]?[0-9]+))?$"
_PERCENT = "^(100|[1-9]?[0-9])%$"


def manifest(resource):
    facts = resource.facts
    version = {
        "name": facts["version"], "served": True, "storage": True,
        "additionalPrinterColumns": [{"name": one["name"], "type": one["type"], "jsonPath": one["path"], "description": one["text"]}
                                     for one in facts["columns"]],
        "subresources": {"status": {}, "scale": {"specReplicasPath": facts["scale"]["spec"],
                                                 "statusReplicasPath": facts["scale"]["status"],
                                                 "labelSelectorPath": facts["scale"]["selector"]}},
        "schema": {"openAPIV3Schema": {
            "description": facts["text"], "type": "object",
            "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
                           "spec": {**field_schema(resource.spec), **_with_references(resource.spec)},
                           "status": field_schema(resource.status)},
            "x-kubernetes-validations": facts["rules"]}}}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{facts['plural']}.{GROUP}"},
            "spec": {"group": GROUP, "scope": "Namespaced",
                     "names": {"kind": facts["kind"], "listKind": facts["kind"] + "List", "plural": facts["plural"],
                               "singular": facts["singular"], "shortNames": facts["shortNames"]},
                     "versions": [version]}}


def field_schema(field):
    one = _item(field)
    if not field.is_list:
        return {"description": field.get("text"), **one, **_default(field)}
    found = {"description": field.get("text"), "type": "array"}
    for key in ("minItems", "maxItems"):
        if field.has(key):
            found[key] = field.get(key)
    if field.has("keys"):
        found |= {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": field.get("keys")}
    return {**found, "items": one, **_default(field)}


def _default(field):
    return {"default": field.get("default")} if field.has("default") else {}


def _item(field):
    """The schema of the field, or of one item of a list."""
    prefix = "item" if field.is_list else ""
    enum = field.get("itemEnum" if prefix else "enum")
    rules = list(field.get("itemRules" if prefix else "rules", []))
    check = field.get("itemCheck" if prefix else "check")
    found = _type(field)
    if field.type == "string":
        if enum:
            found["enum"] = enum
        elif field.is_list:
            found["maxLength"] = ITEM_LENGTH
        for key in ("minLength", "maxLength", "pattern"):
            if field.has(key) and not field.is_list:
                found[key] = field.get(key)
        if field.has("format"):
            expression, most, remedy = FORMATS[field.get("format")]
            found.setdefault("maxLength", most)
            rules.append(_matches(field, expression, remedy))
        if check:
            expression, remedy = CHECKS[check]
            if remedy:
                rules.append(_matches(field, expression, remedy))
            elif expression:
                found["pattern"] = expression
    elif field.type == "integer":
        found |= {key: field.get(short) for short, key in (("min", "minimum"), ("max", "maximum")) if field.has(short)}
    elif field.type == "intOrString":
        rules.append({"rule": f"type(self) == int ? int(self) >= 0 && int(self) <= {field.get('max')} : "
                              f"string(self).matches('{_PERCENT}')",
                      "message": f"{field.name}: write a number from 0 to {field.get('max')} or a percentage such as 20%"})
    if field.children:
        found["properties"] = {child.name: field_schema(child) for child in field.children}
        if field.has("required"):
            found["required"] = field.get("required")
    if rules:
        found["x-kubernetes-validations"] = rules
    return found


def _type(field):
    if field.type in ("string", "integer", "boolean"):
        return {"type": field.type} | ({"format": "int64"} if field.type == "integer" else {})
    if field.type == "any":
        return {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    if field.type == "open":
        return {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    if field.type == "intOrString":
        return {"x-kubernetes-int-or-string": True}
    if field.type == "quantity":
        return _quantity()
    if field.type == "quantities":
        return {"type": "object", "maxProperties": 64, "additionalProperties": _quantity()}
    if field.type == "labels":
        return {"type": "object", "maxProperties": 256, "additionalProperties": _label_value(field)}
    return {"type": "object"}


def _quantity():
    return {"anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": _QUANTITY, "x-kubernetes-int-or-string": True}


def _label_value(field):
    if not field.has("check"):
        return {"type": "string", "maxLength": 65536}
    expression, remedy = CHECKS[field.get("check")]
    return {"type": "string", "maxLength": 1024, "x-kubernetes-validations": [_matches(field, expression, remedy)]}


def _matches(field, expression, remedy):
    return {"rule": f"self.matches(r'{expression}')", "message": f"{field.name}: {remedy}"}


# --- rules of spec about fields that refer to others, and about refused fields ---

_TARGETS = {"nodeFilter": ("k8sNodeFilters", "there is no such filter; add it to spec.k8sNodeFilters or correct the name"),
            "volumeSource": ("volumeSources", "there is no such volume source; add it to spec.volumeSources or correct the name")}


def _with_references(spec):
    rules = list(spec.get("rules", []))
    for field in spec.walk():
        place = field.path.removeprefix("spec.")
        if field.get("check") in _TARGETS:
            target, remedy = _TARGETS[field.get("check")]
            rules.append({"rule": _reference(place.split("."), target), "message": f"{place}: {remedy}"})
        elif field.get("mark") == "refused":
            unset = f" || self.{place} == {_literal(field.get('default'))}" if field.has("default") else ""
            rules.append({"rule": _guards("self", place.split(".")) + unset, "message": f"{place}: {field.get('remedy')}"})
    return {"x-kubernetes-validations": rules} if rules else {}


def _guards(of, names):
    """True if the field is absent: !has(self.a) || !has(self.a.b)."""
    return " || ".join(f"!has({of}.{'.'.join(names[:count])})" for count in range(1, len(names) + 1))


def _reference(names, target, of="self", depth=0):
    """True if the field, or in each item of a list the field, is absent or names an item of the target."""
    at = next((i for i, name in enumerate(names) if name.endswith("[]")), None)
    if at is None:
        value = f"{of}.{'.'.join(names)}"
        return (f"{_guards(of, names)} || {value} == '' || "
                f"has(self.{target}) && self.{target}.exists(t, t.name == {value})")
    listed = [*names[:at], names[at].removesuffix("[]")]
    item = f"i{depth}"
    inner = _reference(names[at + 1:], target, item, depth + 1)
    return f"{_guards(of, listed)} || {of}.{'.'.join(listed)}.all({item}, {inner})"


def _literal(value):
    return f"'{value}'" if isinstance(value, str) else json.dumps(value)


# --- text ---

def text(document, comment):
    lines = [f"# {line}" for line in comment] + list(_lines(document, 0))
    return "\n".join(lines) + "\n"


def _lines(value, depth):
    pad = "  " * depth
    if isinstance(value, dict):
        for key, member in value.items():
            if isinstance(member, (dict, list)) and member:
                yield f"{pad}{_scalar_key(key)}:"
                yield from _lines(member, depth + (isinstance(member, dict)))
            else:
                yield f"{pad}{_scalar_key(key)}: {json.dumps(member, ensure_ascii=False)}"
    else:
        for item in value:
            if isinstance(item, dict):
                first, *rest = _lines(item, depth + 1)
                yield f"{pad}- {first.lstrip()}"
                yield from rest
            else:
                yield f"{pad}- {json.dumps(item, ensure_ascii=False)}"


def _scalar_key(key):
    return key if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", key) else json.dumps(key)
