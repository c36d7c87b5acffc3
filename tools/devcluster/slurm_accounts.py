# SPDX-License-Identifier: Apache-2.0
"""Accounts, users and QOS of the cluster, as sacctmgr commands."""

from dataclasses import dataclass
from typing import Tuple

from slurm_config import CLUSTER_NAME, GRACE_SECONDS


@dataclass(frozen=True)
class Qos:
    name: str
    priority: int
    preempts: Tuple[str, ...] = ()
    grace_seconds: int = 0


@dataclass(frozen=True)
class User:
    name: str
    accounts: Tuple[str, ...]  # the first is the default


QOS = (
    Qos("low", 0, grace_seconds=GRACE_SECONDS),
    Qos("normal", 100),
    Qos("urgent", 1000, preempts=("low", "normal")),
)
ACCOUNTS = ("physics", "biology")
USERS = (
    User("slurm", ("physics", "biology")),  # user of the bridge's token; without an association every submit is refused (2045)
    User("alice", ("physics", "biology")),
    User("bob", ("biology",)),
    User("carol", ("physics",)),
)


def commands():
    """The sacctmgr commands that create all of it in an empty database, in order."""
    found = []
    for qos in QOS:
        verb = ["modify", "qos", qos.name, "set"] if qos.name == "normal" else ["add", "qos", qos.name]  # normal exists
        found.append([*verb, f"Priority={qos.priority}", f"GraceTime={qos.grace_seconds}",
                      *([f"Preempt={','.join(qos.preempts)}"] if qos.preempts else [])])
    names = ",".join(qos.name for qos in QOS)
    found.append(["add", "cluster", CLUSTER_NAME, f"QosLevel={names}", "DefaultQOS=normal"])
    found += [["add", "account", account, f"Description={account}", f"Organization={account}"] for account in ACCOUNTS]
    found += [["add", "user", user.name, f"Account={','.join(user.accounts)}", f"DefaultAccount={user.accounts[0]}"]
              for user in USERS]
    return found
