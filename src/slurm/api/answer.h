// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "net/http_wire/http.h"
#include "slurm/api/ids.h"

#include <optional>
#include <string>
#include <vector>

// Slurm's answers: one envelope (errors, warnings, meta) around every JSON body, and plain text
// where slurmrestd itself refuses. A status of 200 proves nothing and 500 may have made a job.
namespace slurm::inline api {

struct Complaint {
  int number = 0;
  std::string error;        // Slurm's words for the number
  std::string description;  // what was being done
};

struct Envelope {
  std::vector<Complaint> errors;
  std::vector<std::string> warnings;
  std::string user_message;  // from the site's job_submit plugin
};

// The envelope of a parsed body; empty if this is none of Slurm's answers.
std::optional<Envelope> envelope(const json::Node& root);

// The error that an envelope with errors stands for. The kind and code follow from the first error
// number; all are told.
base::Error error_of(const Envelope& envelope, int status);

// The error that a body without an envelope stands for: text of slurmrestd or of a proxy in front
// of it. It is no verdict of Slurm's: never not_found, conflict, invalid, refused or forbidden, and
// without a code.
base::Error error_of_text(const net::http::Response& answer);

// Reads an answer of any call that changes nothing: its root if Slurm answered without errors.
// The node lives as long as the parser's document.
base::Result<json::Node> read(const net::http::Response& answer, json::Parser& parser);

// What became of a submit. An id beside an error is a job that exists although the answer is an
// error: it has to be cancelled.
struct Submitted {
  std::optional<JobId> id;
  std::optional<base::Error> error;
};
// Guarantees  Kind::lost wherever the answer leaves open whether a job was made; with any other
//             kind and no id, none was.
Submitted submitted(const net::http::Response& answer);

// What became of a cancel: failures hide in status[] of a 200. A job that has ended already is
// fine, an unknown one not_found.
base::Result<void> cancelled(const net::http::Response& answer);

// What became of a change that may be asked for again without harm. An error that
// proves_no_effect() does not vouch for may have had its effect.
base::Result<void> done(const net::http::Response& answer);

}  // namespace slurm::inline api
