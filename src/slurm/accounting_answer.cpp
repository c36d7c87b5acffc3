// SPDX-License-Identifier: Apache-2.0
#include "slurm/accounting_answer.h"

#include "json/decode.h"
#include "slurm/answer.h"

namespace slurm {

BOOST_DESCRIBE_STRUCT(Association, (), (user, account, cluster, partition, is_default))

namespace wire {

struct Associations {
  std::vector<Association> associations;
};
BOOST_DESCRIBE_STRUCT(Associations, (), (associations))

}  // namespace wire

base::Result<std::vector<Association>> associations(const net::http::Response& answer) {
  json::Parser parser;
  TRY(const json::Node root, read(answer, parser));
  if (!root.find("associations")) {
    return base::Error(base::Kind::protocol, "an answer without a list of associations");
  }
  TRY(wire::Associations wire, json::decode<wire::Associations>(root));
  return std::move(wire.associations);
}

}  // namespace slurm
