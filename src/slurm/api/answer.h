// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "net/http_wire/http.h"
#include "slurm/api/ids.h"

#include <optional>
#include <string>
#include <vector>

// Parsers for Slurm's answers: one envelope (errors, warnings, meta) around every JSON body, and
// plain text where slurmrestd itself rejects the request. Status 200 does not prove success, and a
// request that was answered with 500 may have created a job.
namespace slurm::inline api {

struct Complaint {
  int number = 0;
  std::string error;        // Slurm's text for the number
  std::string description;  // the operation that failed
};

struct Envelope {
  std::vector<Complaint> errors;
  std::vector<std::string> warnings;
  std::string user_message;  // from the site's job_submit plugin
};

// The envelope of a parsed body; empty if the body is not an answer of Slurm.
std::optional<Envelope> envelope(const json::Node& root);

// The error for an envelope with errors. Kind and code follow from the first error number; the
// message contains all errors.
base::Error error_of(const Envelope& envelope, int status);

// The error for a body without an envelope: text of slurmrestd or of a proxy in front of it. It is
// not a verdict of Slurm: it has no code, and its kind is never not_found, conflict, invalid,
// refused or forbidden.
base::Error error_of_text(const net::http::Response& answer);

// Reads the answer of a call that changes nothing. Returns its root if Slurm answered without
// errors. The node is valid as long as the parser's document.
base::Result<json::Node> read(const net::http::Response& answer, json::Parser& parser);

// The outcome of a submit. If both id and error are set, the job exists although Slurm answered
// with an error, and the caller must cancel it.
struct Submitted {
  std::optional<JobId> id;
  std::optional<base::Error> error;
};
// Guarantees  Kind::lost whenever the answer does not prove whether a job was created; with any
//             other kind and no id, no job was created.
Submitted submitted(const net::http::Response& answer);

// The outcome of a cancel; failures are in status[] of an answer with status 200. Success if the
// job has already ended; not_found if Slurm does not know it.
base::Result<void> cancelled(const net::http::Response& answer);

// The outcome of a change that can be repeated without harm. After an error the change may have
// taken effect, unless proves_no_effect() holds for its number.
base::Result<void> done(const net::http::Response& answer);

}  // namespace slurm::inline api
