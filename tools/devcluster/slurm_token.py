# SPDX-License-Identifier: Apache-2.0
"""Tokens that Slurm's auth/jwt accepts: HS256 over the key that slurmctld has."""

import base64
import hashlib
import hmac
import json


def mint(key, user, now, lifetime):
    """A token for a user, valid from now for lifetime seconds."""
    head = _part({"alg": "HS256", "typ": "JWT"})
    claims = _part({"iat": int(now), "exp": int(now + lifetime), "sun": user})
    signature = hmac.new(key, head + b"." + claims, hashlib.sha256).digest()
    return b".".join((head, claims, _base64(signature))).decode()


def _part(value):
    return _base64(json.dumps(value, separators=(",", ":")).encode())


def _base64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")
