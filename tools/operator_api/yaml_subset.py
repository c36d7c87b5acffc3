# SPDX-License-Identifier: Apache-2.0
"""Reads the part of YAML in which src/operator/api/schema is written; tools/setup installs no YAML library for Python.

Expects     block mappings and sequences by indentation, `key: value` with a plain or double-quoted key, flow mappings and lists
            on one line, double-quoted (as in JSON) and plain scalars, comments on lines of their own.
Guarantees  the result of a YAML library for such files; anything else raises SyntaxError with the line.
"""

import json
import re

_PLAIN_END = re.compile(r",\s|[\]}]|,$")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def load(text):
    lines = [(number, len(line) - len(line.lstrip()), line.strip()) for number, line in enumerate(text.splitlines(), 1)
             if line.strip() and not line.lstrip().startswith("#")]
    value, rest = _block(lines, lines[0][1])
    if rest:
        raise SyntaxError(f"line {rest[0][0]}: unexpected indentation")
    return value


def _block(lines, indent):
    is_list = lines[0][2].startswith("- ")
    found = [] if is_list else {}
    while lines and lines[0][1] == indent:
        number, _, text = lines[0]
        lines = lines[1:]
        if is_list:
            if not text.startswith("- "):
                raise SyntaxError(f"line {number}: expected a list item")
            found.append(_inline(text[2:].strip(), number))
            continue
        key, text = _key(text, number)
        if key in found:
            raise SyntaxError(f"line {number}: {key!r} appears twice")
        if text:
            found[key] = _inline(text, number)
        elif lines and lines[0][1] > indent:
            found[key], lines = _block(lines, lines[0][1])
        else:
            found[key] = None
    if lines and lines[0][1] > indent:
        raise SyntaxError(f"line {lines[0][0]}: unexpected indentation")
    return found, lines


def _key(text, number):
    quoted = _QUOTED.match(text)
    if quoted:
        key, rest = json.loads(quoted[0]), text[quoted.end():]
    else:
        plain = re.match(r"[^\s:{,\"]+", text)
        if not plain:
            raise SyntaxError(f"line {number}: expected a key")
        key, rest = plain[0], text[plain.end():]
    if not re.match(r":(\s|$)", rest):
        raise SyntaxError(f"line {number}: expected ': ' after {key!r}")
    return key, rest[1:].strip()


def _inline(text, number):
    value, rest = _value(text, number)
    if rest:
        raise SyntaxError(f"line {number}: unexpected {rest!r}")
    return value


def _value(text, number):
    """The first value of the text, and the text after it."""
    if text.startswith("{"):
        return _flow(text[1:], "}", number)
    if text.startswith("["):
        return _flow(text[1:], "]", number)
    quoted = _QUOTED.match(text)
    if quoted:
        return json.loads(quoted[0]), text[quoted.end():].lstrip()
    end = _PLAIN_END.search(text)
    plain, rest = (text[:end.start()], text[end.start():]) if end else (text, "")
    if not plain or plain[0] in "'&*!|>%@`":
        raise SyntaxError(f"line {number}: unexpected {text[:20]!r}")
    return _scalar(plain.strip()), rest


def _flow(text, closing, number):
    found = [] if closing == "]" else {}
    text = text.lstrip()
    while not text.startswith(closing):
        if closing == "]":
            value, text = _value(text, number)
            found.append(value)
        else:
            key, text = _key(text, number)
            found[key], text = _value(text, number)
        if text.startswith(","):
            text = text[1:].lstrip()
        elif not text.startswith(closing):
            raise SyntaxError(f"line {number}: expected ',' or {closing!r} before {text[:20]!r}")
    return found, text[1:].lstrip()


def _scalar(text):
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?[0-9]+", text):
        return int(text)
    return text
