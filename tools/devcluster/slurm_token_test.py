# SPDX-License-Identifier: Apache-2.0
"""Claims and signature of a token."""

import base64
import hashlib
import hmac
import json
import unittest

import slurm_token


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


class TokenTest(unittest.TestCase):
    def test_claims_and_signature(self):
        head, claims, signature = slurm_token.mint(b"key", "alice", 1000.7, 60).split(".")
        self.assertEqual(json.loads(decoded(head)), {"alg": "HS256", "typ": "JWT"})
        self.assertEqual(json.loads(decoded(claims)), {"iat": 1000, "exp": 1060, "sun": "alice"})
        expected = hmac.new(b"key", f"{head}.{claims}".encode(), hashlib.sha256).digest()
        self.assertEqual(decoded(signature), expected)


if __name__ == "__main__":
    unittest.main()
