#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends the requests of a history to a slurmrestd and prints its answers, normalised.

    devcluster up --name oracle --only slurm --nodes 4 --dynamic 1     (a new cluster: ids begin at 1)
    replay.py URL TOKENFILE tests/fixtures/slurm-histories/NAME.requests.json > NAME.answers.json

A history is {"mask": [...], "drop": [...], "steps": [...]}. A step is a request ("method", "path",
"body", "text" instead of a body that is JSON, "user", "version") or {"wait": seconds}. Members named
in mask are printed as "*", texts in drop are removed from lists, lists of named objects are sorted.
src/models/slurm/history_test.cpp does the same with the model and compares.
"""
import json
import sys
import time
import urllib.error
import urllib.request


def normal(value, mask, drop):
    if isinstance(value, dict):
        return {k: "*" if k in mask else normal(v, mask, drop) for k, v in value.items()}
    if isinstance(value, list):
        kept = [normal(v, mask, drop) for v in value if not (isinstance(v, str) and v in drop)]
        if kept and all(isinstance(v, dict) and isinstance(v.get("name"), str) for v in kept):
            kept.sort(key=lambda v: v["name"])
        return kept
    return value


def send(url, token, step):
    headers = {"X-SLURM-USER-TOKEN": token, "X-SLURM-USER-NAME": step.get("user", "slurm")}
    data = None
    if "body" in step:
        data = json.dumps(step["body"]).encode()
    if "text" in step:
        data = step["text"].encode()
    if data is not None:
        headers["Content-Type"] = "application/json"
    target = f"{url}/slurm/{step.get('version', 'v0.0.45')}{step['path']}"
    request = urllib.request.Request(target, data=data, method=step["method"], headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def main():
    url, token_file, history_file = sys.argv[1:]
    with open(token_file, encoding="utf-8") as file:
        token = file.read().strip()
    with open(history_file, encoding="utf-8") as file:
        history = json.load(file)
    answers = []
    for step in history["steps"]:
        if "wait" in step:
            time.sleep(step["wait"])
            continue
        status, text = send(url, token, step)
        try:
            body = normal(json.loads(text), history["mask"], history["drop"])
        except ValueError:
            body = text
        answers.append({"status": status, "body": body})
    print("[\n" + ",\n".join(json.dumps(a, sort_keys=True) for a in answers) + "\n]")


main()
