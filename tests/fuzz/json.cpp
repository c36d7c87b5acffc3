// SPDX-License-Identifier: Apache-2.0
// Reading, writing and typed decoding of JSON.
#include "fuzz/check.h"
#include "json/decode.h"
#include "json/node.h"
#include "json/value.h"

namespace {

using fuzz::check;

struct Part {
  std::string name;
  std::optional<std::int32_t> port;
  std::uint64_t size = 0;
  double share = 0;
};
BOOST_DESCRIBE_STRUCT(Part, (), (name, port, size, share))

// A member of every kind that decode.h knows.
struct Whole {
  std::string namespace_;
  bool flag = false;
  std::vector<Part> parts;
  std::map<std::string, std::vector<std::int64_t>> lists;
  base::Strong<std::uint32_t, struct IdTag> id;
  json::Value extra;
};
BOOST_DESCRIBE_STRUCT(Whole, (), (namespace_, flag, parts, lists, id, extra))

void decode(const json::Node& root) {
  const auto whole = json::decode<Whole>(root);
  if (whole.ok()) return;
  check(whole.error().message().starts_with("$"), "the error says where");
  check(whole.error().is(base::Kind::protocol), "what does not fit is the other side's fault");
}

void write_and_read_again(const json::Node& root) {
  const json::Value tree = root.to_value();
  const std::string text = tree.dump();
  check(base::is_utf8(text), "what is written is valid UTF-8");
  const auto again = json::parse(text);
  check(again.ok(), "what is written can be read");
  check(*again == tree, "and reads as the same tree");
  check(again->dump() == text, "and is written the same again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::Input(data, size).rest();
  json::Parser parser;
  const auto root = parser.parse(text);
  if (!root.ok()) {
    fuzz::check_message(root.error());
    return 0;
  }
  write_and_read_again(*root);
  decode(*root);
  return 0;
}
