// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace base {
namespace {

TEST(Base64, writes_the_examples_of_rfc_4648) {
  EXPECT_EQ(encode_base64(""), "");
  EXPECT_EQ(encode_base64("f"), "Zg==");
  EXPECT_EQ(encode_base64("fo"), "Zm8=");
  EXPECT_EQ(encode_base64("foo"), "Zm9v");
  EXPECT_EQ(encode_base64("foob"), "Zm9vYg==");
  EXPECT_EQ(encode_base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encode_base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, has_two_alphabets_with_or_without_padding) {
  const std::string_view bytes = "\xFB\xFF\xFE\xFF";
  EXPECT_EQ(encode_base64(bytes, Base64::standard), "+//+/w==");
  EXPECT_EQ(encode_base64(bytes, Base64::standard_unpadded), "+//+/w");
  EXPECT_EQ(encode_base64(bytes, Base64::url), "-__-_w==");
  EXPECT_EQ(encode_base64(bytes, Base64::url_unpadded), "-__-_w");
}

TEST(Base64, decodes_only_what_the_form_writes) {
  struct Row {
    std::string_view cause;
    std::string_view text;
    Base64 form;
  };
  const Row rows[] = {
      {"padding missing", "Zg", Base64::standard},
      {"padding half missing", "Zg=", Base64::standard},
      {"padding unwanted", "Zg==", Base64::url_unpadded},
      {"padding only", "====", Base64::standard},
      {"padding of three", "Z===", Base64::standard},
      {"padding inside", "Zg==Zg==", Base64::standard},
      {"one digit", "Z", Base64::standard_unpadded},
      {"line break", "Zm9v\nZm9v", Base64::standard_unpadded},
      {"space", "Zm9v ", Base64::url_unpadded},
      {"URL digits in standard", "-__-_w==", Base64::standard},
      {"standard digits in URL", "+//+/w", Base64::url_unpadded},
      {"stray bits in one byte", "Zh==", Base64::standard},
      {"stray bits in two bytes", "Zm9=", Base64::standard},
      {"not ASCII", "Zm\xC3\xA9", Base64::standard},
  };
  for (const Row& row : rows) {
    const Result<std::string> got = decode_base64(row.text, row.form);
    ASSERT_FALSE(got.ok()) << row.cause;
    EXPECT_TRUE(got.error().is(Kind::invalid)) << row.cause;
  }
}

TEST(Base64, an_error_contains_the_position_and_not_the_text) {
  EXPECT_EQ(decode_base64("c2Vjcm*0").error().message(),
            "base64: byte 6 (0x2a) is not in the standard alphabet");
}

RC_GTEST_PROP(Base64, a_round_trip_preserves_the_bytes_in_every_form, (const std::string& bytes)) {
  for (const Base64 form :
       {Base64::standard, Base64::standard_unpadded, Base64::url, Base64::url_unpadded}) {
    RC_ASSERT(*decode_base64(encode_base64(bytes, form), form) == bytes);
  }
}

RC_GTEST_PROP(Base64, each_value_has_one_text, (const std::string& noise)) {
  const Result<std::string> bytes = decode_base64(noise, Base64::url_unpadded);
  if (bytes.ok()) RC_ASSERT(encode_base64(*bytes, Base64::url_unpadded) == noise);
}

}  // namespace
}  // namespace base
