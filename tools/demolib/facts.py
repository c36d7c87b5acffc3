# SPDX-License-Identifier: Apache-2.0
"""The state of the two systems as plain values, and how their answers are parsed. No I/O."""

import datetime
import json
import re
from dataclasses import dataclass
from typing import Optional, Tuple

JOB_LABEL = "scheduler.slinky.slurm.net/slurm-jobid"
FINALIZER = "scheduler.slinky.slurm.net/finalizer"
JOB_ANNOTATION = "slurmjob.slinky.slurm.net/"
RELEASED = ("CANCELLED", "COMPLETED")  # the state is CANCELLED when an external job is ended by a request


@dataclass(frozen=True)
class Workload:
    """One file of examples/ as it was applied."""
    file: str
    uids: Tuple[str, ...]  # of its objects: pods, or owners of pods
    pods: int  # how many there will be

    def has(self, pod):
        return not {pod.uid, *pod.owners}.isdisjoint(self.uids)


@dataclass(frozen=True)
class Pod:
    """According to the API server."""
    uid: str
    name: str
    owners: Tuple[str, ...] = ()
    phase: str = "Pending"
    node: str = ""
    job: Optional[int] = None  # from its label
    held: bool = False  # it still has the bridge's finalizer
    message: str = ""  # why it is not scheduled
    asks: Tuple[str, ...] = ()  # its annotations for Slurm: account, qos, ...

    @property
    def ended(self):
        return self.phase in ("Succeeded", "Failed")


@dataclass(frozen=True)
class Job:
    """By slurmctld."""
    id: int
    state: str
    uids: Tuple[str, ...] = ()  # of its pods
    reason: str = "None"
    node: str = ""
    partition: str = ""
    account: str = ""
    qos: str = ""
    gpus: int = 0


@dataclass(frozen=True)
class Record:
    """According to Slurm's accounting, which keeps ended jobs."""
    id: int
    state: str
    node: str
    waited: int  # seconds from submission to start
    uids: Tuple[str, ...]


def workload(file, applied):
    """From the objects that `kubectl apply -o json` printed."""
    objects = applied["items"] if applied["kind"] == "List" else [applied]
    return Workload(file, tuple(one["metadata"]["uid"] for one in objects),
                    sum(one["spec"].get("completions", 1) for one in objects))


def pod(json_object):
    metadata, status = json_object["metadata"], json_object.get("status", {})
    label = metadata.get("labels", {}).get(JOB_LABEL, "")
    return Pod(
        uid=metadata["uid"],
        name=metadata["name"],
        owners=tuple(owner["uid"] for owner in metadata.get("ownerReferences", ())),
        phase=status.get("phase", "Pending"),
        node=json_object["spec"].get("nodeName", ""),
        job=int(label) if label.isdigit() else None,
        held=FINALIZER in metadata.get("finalizers", ()),
        message=next((one.get("message", "") for one in status.get("conditions", ())
                   if one["type"] == "PodScheduled" and one["status"] == "False"), ""),
        asks=tuple(key[len(JOB_ANNOTATION):] for key in metadata.get("annotations", ())
                   if key.startswith(JOB_ANNOTATION)))


def job(line):
    """From one line of `scontrol --oneliner show job`; None if the line is not a job."""
    def value(key, otherwise=""):
        found = re.search(rf"(?:^| ){key}=(\S*)", line)
        return otherwise if found is None or found[1] == "(null)" else found[1]

    if not value("JobId").isdigit():
        return None
    _, _, comment = line.partition(" AdminComment=")
    return Job(id=int(value("JobId")), state=value("JobState"), uids=_pod_uids(comment), reason=value("Reason", "None"),
               node=value("NodeList"), partition=value("Partition"), account=value("Account"), qos=value("QOS"),
               gpus=_gpus(value("AllocTRES")) if _gpus(value("ReqTRES")) else 0)


RECORD_FIELDS = "JobID,State,NodeList,Submit,Start,AdminComment"


def record(line):
    """From one line of `sacct --parsable2 --format=RECORD_FIELDS`."""
    number, state, node, submit, start, comment = line.split("|", 5)
    return Record(int(number), state.split()[0], node, _seconds_between(submit, start), _pod_uids(comment))


def rest_job(json_object):
    """From one entry of GET /slurm/.../jobs."""
    gpus = _gpus(json_object["tres_alloc_str"]) if _gpus(json_object["tres_req_str"]) else 0
    return Job(id=json_object["job_id"], state=json_object["job_state"][0],
               uids=_pod_uids(json_object["admin_comment"]), reason=json_object["state_reason"],
               node=json_object["nodes"], partition=json_object["partition"], account=json_object["account"],
               qos=json_object["qos"], gpus=gpus)


def rest_record(json_object):
    """The same entry as a Record."""
    submitted, started = (json_object[key]["number"] for key in ("submit_time", "start_time"))
    return Record(json_object["job_id"], json_object["job_state"][0], json_object["nodes"],
                  max(0, started - submitted) if json_object["nodes"] else 0, _pod_uids(json_object["admin_comment"]))


def _pod_uids(text):
    """The uids of the pods in an admin_comment; text after it is ignored."""
    try:
        comment, _ = json.JSONDecoder().raw_decode(text)
        return tuple(comment.get("uids", ()))
    except (ValueError, AttributeError):
        return ()


def _gpus(tres):
    found = re.search(r"(?:^|,)gres/gpu=(\d+)", tres)
    return int(found[1]) if found else 0


def _seconds_between(earlier, later):
    try:
        moments = [datetime.datetime.fromisoformat(text) for text in (earlier, later)]
    except ValueError:  # it never started
        return 0
    return max(0, round((moments[1] - moments[0]).total_seconds()))
