# SPDX-License-Identifier: Apache-2.0
"""The schema of the operator's resources as a tree of fields. README.md describes the files."""

import dataclasses
import re

import yaml_subset

GROUP = "slurm.nebius.ai"
SIMPLE = ("string", "integer", "boolean", "quantity", "intOrString", "any", "labels", "quantities")
MARKS = ("acted", "accepted", "refused")
ITEM_LENGTH = 4096  # of a string in a list

# Values that become part of a configuration file or a pod: the regular expression for the API server (RE2), and the remedy.
# src/operator/api/checks.cpp has the same rules, for resources that were stored before a rule existed.
_WORD = r"[!$-\[\]-~]"      # printable ASCII without space, '"', '#' and '\'
_TOKENS = r"[ !$-\[\]-~]"   # the same with space
_ONE_LINE = r"[^\x00-\x1f\x7f]"
_NO_BREAKS = "remove line breaks, quotes, backslashes, '#' and other special characters"
CHECKS = {
    "confValue": (f"^{_WORD}*$", f"a configuration value is one word; {_NO_BREAKS}, and spaces"),
    "confName": (r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", "use only letters, digits, '_', '.' and '-'"),
    "confTokens": (f"^{_TOKENS}*$", f"a configuration value is one line; {_NO_BREAKS}"),
    "nodeOptions": (f"^{_TOKENS}*$", f"parameters of a node are one line of Key=Value; {_NO_BREAKS}"),
    "partitionOptions": (f"^{_TOKENS}*$", f"parameters of a partition are one line of Key=Value; {_NO_BREAKS}"),
    "partitionLine": (f"^PartitionName={_TOKENS}*$", f"each line begins with PartitionName=; {_NO_BREAKS}"),
    "partitionName": (r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", "use only letters, digits, '_', '.' and '-'"),
    "path": (r"^/[^:\x00-\x1f\x7f]*$", "write an absolute path without ':' and line breaks"),
    "oneLine": (f"^{_ONE_LINE}*$", "remove line breaks and control characters"),
    "slurmLines": (r"^[^\x00-\x08\x0b-\x1f\x7f]*$", "remove control characters; lines end with a line feed only"),
    "cgroupLines": (r"^[^\x00-\x08\x0b-\x1f\x7f]*$", "remove control characters; lines end with a line feed only"),
    "confMap": (f"^{_WORD}*$", f"a configuration value is one word; {_NO_BREAKS}, and spaces"),
    # Checked by the pattern of the type alone: a rule for each of thousands of items exceeds the API server's budget.
    "publicKey": (f"^{_ONE_LINE}+$", None),
    "nodeSetName": (r"^[a-z]([-a-z0-9]*[a-z0-9])?$", None),
    # Checked by a rule of spec, because they refer to another field.
    "nodeFilter": (None, None),
    "volumeSource": (None, None),
}
FORMATS = {  # regular expression, most characters, example for the message
    "image": (r"^([a-zA-Z0-9][a-zA-Z0-9._:/@-]*)?$", 1024, "write an image such as registry.example.com/slurmd:1.2"),
    "imageTag": (r"^([A-Za-z0-9_][A-Za-z0-9_.-]*)?$", 128, "write a tag such as 1.2"),
    "dnsLabel": (r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", 63, "use lower-case letters, digits and '-'"),
    "dnsLabelOrEmpty": (r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$", 63, "use lower-case letters, digits and '-'"),
    "dnsNameOrEmpty": (r"^([a-z0-9]([-.a-z0-9]*[a-z0-9])?)?$", 253, "use lower-case letters, digits, '.' and '-'"),
    "duration": (r"^([0-9]+([.][0-9]+)?(ms|s|m|h))+$", 64, "write a duration such as 90s or 1h30m"),
    "promDuration": (r"^(0|([0-9]+(ms|s|m|h|d|w|y))+)$", 64, "write a duration such as 30s or 1d"),
    "purgeAge": (r"^[0-9]+(hours?|days?|months?)?$", 32, "write an age such as 12month or 30days"),
    "userName": (r"^[a-z_][a-z0-9_-]*$", 32, "use lower-case letters, digits, '_' and '-', beginning with a letter"),
}
_KEYS = {"type", "default", "enum", "itemEnum", "min", "max", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format",
         "check", "itemCheck", "mark", "remedy", "rules", "itemRules", "keys", "required", "as", "ours", "text"}


class WrongSchema(Exception):
    pass


@dataclasses.dataclass
class Field:
    path: str             # from the top of the object: spec.k8sNodeFilters[].name
    name: str
    type: str             # of one item, if it is a list
    is_list: bool
    facts: dict           # the entry in the file
    mark: str = "acted"
    reported: str = ""    # the field that a condition or error names: the topmost with this mark
    struct: str = ""      # C++ struct of an object
    shared: bool = False  # the struct is one of common.yaml
    required: bool = False
    children: list = dataclasses.field(default_factory=list)

    def has(self, key):
        return key in self.facts

    def get(self, key, other=None):
        return self.facts.get(key, other)

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()


@dataclasses.dataclass
class Resource:
    facts: dict
    spec: Field
    status: Field

    @property
    def kind(self):
        return self.facts["kind"]


@dataclasses.dataclass
class Schema:
    types: dict       # by name: a Field that describes the shared struct
    resources: list


def read(folder):
    types = yaml_subset.load((folder / "common.yaml").read_text(encoding="utf-8"))["types"]
    resources = []
    for file in ("slurmcluster.yaml", "nodeset.yaml"):
        facts = yaml_subset.load((folder / file).read_text(encoding="utf-8"))
        resources.append(Resource(facts, *(_tree(part, facts[part], types) for part in ("spec", "status"))))
    shared = {name: _shared_type(name, "", "", types, {"text": entry["text"]}) for name, entry in types.items()}
    _check_struct_names(resources, shared)
    return Schema(shared, resources)


def _tree(top, entries, types):
    root = _field(top, top, entries[""], types)
    by_path = {"": root}
    for path, facts in entries.items():
        if path == "":
            continue
        above, _, name = path.rpartition(".")
        parent = by_path.get(above) or by_path.get(above.removesuffix("[]"))
        if not parent or parent.is_list != above.endswith("[]") or parent.type not in ("object", "open"):
            raise WrongSchema(f"{top}.{path}: there is no object {top}.{above}")
        field = _field(f"{top}.{path}", name, facts, types)
        parent.children.append(field)
        field.required = name in parent.get("required", [])
        by_path[path] = field
    _mark(root, "acted", "")
    return root


def _field(path, name, facts, types):
    _check_entry(path, facts)
    kind, is_list = facts["type"], False
    if kind.startswith("[]"):
        kind, is_list = kind[2:], True
    field = Field(path, name, kind, is_list, facts)
    if kind in types:
        shared = _shared_type(kind, path + ("[]" if is_list else ""), name, types, facts)
        field.struct, field.shared, field.children = kind, True, shared.children
        field.facts = {**{key: types[kind][key] for key in ("required",) if key in types[kind]}, **facts}
        if "rules" in types[kind]:
            field.facts["itemRules" if is_list else "rules"] = types[kind]["rules"]
    elif kind in ("object", "open"):
        if "as" not in facts:
            raise WrongSchema(f"{path}: an object needs `as`, the name of its struct")
        field.struct = facts["as"]
    elif kind not in SIMPLE:
        raise WrongSchema(f"{path}: unknown type {kind}")
    return field


def _shared_type(type_name, path, name, types, facts):
    entry = types[type_name]
    found = Field(path, name, type_name, False, {**entry, **facts}, struct=type_name, shared=True)
    found.children = [_field(f"{path}.{one}", one, entry_of_one, types) for one, entry_of_one in entry["fields"].items()]
    for child in found.children:
        child.required = child.name in entry.get("required", [])
    return found


def _check_entry(path, facts):
    unknown = set(facts) - _KEYS
    if unknown:
        raise WrongSchema(f"{path}: unknown key {', '.join(sorted(unknown))}")
    text = facts.get("text", "")
    if not re.fullmatch(r"[A-Z<a-z`].*[.]", text):
        raise WrongSchema(f"{path}: text is not a sentence: {text!r}")
    for key, known in (("check", CHECKS), ("itemCheck", CHECKS), ("format", FORMATS)):
        if key in facts and facts[key] not in known:
            raise WrongSchema(f"{path}: unknown {key} {facts[key]}")
    if facts.get("mark", "acted") not in MARKS:
        raise WrongSchema(f"{path}: unknown mark {facts['mark']}")
    if (facts.get("mark") == "refused") != ("remedy" in facts):
        raise WrongSchema(f"{path}: a refused field, and no other, has a remedy")
    if "default" in facts and "enum" in facts and facts["default"] not in facts["enum"]:
        raise WrongSchema(f"{path}: the default is not in the enum")


def _mark(field, mark, reported):
    """A field below an accepted field is not acted on either; the uppermost field is named to users."""
    own = field.get("mark", "acted")
    if MARKS.index(own) > MARKS.index(mark):
        mark, reported = own, field.path
    field.mark, field.reported = mark, reported or field.path
    for child in field.children:
        _mark(child, mark, reported)


def _check_struct_names(resources, shared):
    seen = set(shared)
    for resource in resources:
        for field in [*resource.spec.walk(), *resource.status.walk()]:
            if field.struct and not field.shared:
                if field.struct in seen:
                    raise WrongSchema(f"{field.path}: two structs {field.struct}")
                seen.add(field.struct)
