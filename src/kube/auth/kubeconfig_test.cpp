// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/kubeconfig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <fstream>

namespace kube::inline auth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kWhole = R"(
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:6443", certificate-authority-data: aGVsbG8=}}]
users: [{name: u, user: {token: sesame}}]
contexts: [{name: x, context: {cluster: c, user: u, namespace: n}}]
current-context: x
)";

std::string with(std::string_view what,
                 std::string_view instead,
                 std::string text = std::string(kWhole)) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), instead);
}

base::Result<ClusterConfig> parse(std::string text) {
  return parse_kubeconfig({{"/home/a/.kube/config", std::move(text)}});
}

std::string error_of_text(std::string text) {
  const auto config = parse(std::move(text));
  if (config.ok()) return "no error";
  EXPECT_TRUE(config.error().is(base::Kind::invalid));
  return config.error().message();
}

struct Folder {
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sb-kube-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path / name) << text;
    return path / name;
  }
  std::filesystem::path path;
};

TEST(Kubeconfig, ReturnsTheCurrentContext) {
  const auto config = parse(std::string(kWhole));
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->server, "https://127.0.0.1:6443");
  EXPECT_EQ(config->ca_pem, "hello");
  EXPECT_EQ(config->token.reveal(), "sesame");
  EXPECT_EQ(config->ns, "n");
  EXPECT_FALSE(config->exec.has_value());
}

TEST(Kubeconfig, AnErrorNamesTheFileTheFieldAndTheFix) {
  struct Row {
    std::string text;
    std::string_view want;
  };
  const Row rows[] = {
      {"a: [", "/home/a/.kube/config: line 1, column "},
      {"[]", "/home/a/.kube/config: not a kubeconfig: its top level is not a map"},
      {"", "/home/a/.kube/config: current-context: not set; choose one with: kubectl config"},
      {with("current-context: x", "current-context: [x]"),
       "/home/a/.kube/config: current-context: not a text; write one value"},
      {with("current-context: x", "current-context: y"),
       R"(/home/a/.kube/config: contexts: no entry named "y"; add it or choose another context)"},
      {with("cluster: c,", "cluster: d,"), R"(clusters: no entry named "d")"},
      {with("user: u,", "user: v,"), R"(users: no entry named "v")"},
      {"contexts: {x: y}\ncurrent-context: x", "contexts: not a list"},
      {with(R"(server: "https://127.0.0.1:6443",)", ""),
       "clusters[c].server: missing; write https://HOST:PORT"},
      {with("aGVsbG8=", "____"), "clusters[c].certificate-authority-data: "},
      {with("certificate-authority-data: aGVsbG8=", "certificate-authority: none.pem"),
       "clusters[c].certificate-authority: cannot read /home/a/.kube/none.pem"},
      {with("certificate-authority-data: aGVsbG8=", "insecure-skip-tls-verify: maybe"),
       "clusters[c].insecure-skip-tls-verify: neither true nor false"},
      {with("certificate-authority-data",
            "insecure-skip-tls-verify: true, certificate-authority-data"),
       "clusters[c].insecure-skip-tls-verify: contradicts certificate-authority"},
      {with("certificate-authority-data", "proxy-url: http://p, certificate-authority-data"),
       "clusters[c].proxy-url: proxies are not supported"},
      {with("token: sesame", "client-certificate-data: aGVsbG8="),
       "users[u].client-key: missing; a certificate needs its key"},
      {with("token: sesame", "client-key-data: aGVsbG8="), "users[u].client-certificate: missing"},
      {with("token: sesame", "token: sesame, as: root"), "users[u].as: impersonation"},
      {with("token: sesame", "username: a, password: b"), "users[u].username: "},
      {with("token: sesame", "auth-provider: {name: gcp}"), "users[u].auth-provider: "},
      {with("{token: sesame}", "sesame"), "users[u]: not a map"},
      {with("token: sesame", "exec: {command: x}"),
       R"(users[u].exec.apiVersion: "" is not supported; write client.authentication.k8s.io/v1 or)"},
      {with("token: sesame",
            "exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}"),
       "users[u].exec.apiVersion: "},
      {with("token: sesame", "exec: {apiVersion: client.authentication.k8s.io/v1}"),
       "users[u].exec.command: missing"},
      {with("token: sesame", "exec: {apiVersion: client.authentication.k8s.io/v1, command: x}"),
       "users[u].exec.interactiveMode: missing; write Never or IfAvailable"},
      {with("token: sesame",
            "exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: "
            "Always}"),
       "users[u].exec.interactiveMode: Always needs a terminal"},
      {with("token: sesame",
            "exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: x, args: [[a]]}"),
       "users[u].exec.args: not a list of texts"},
      {with("token: sesame",
            "exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: x, env: [{name: "
            "A}]}"),
       "users[u].exec.env: an item without name and value"},
  };
  for (const Row& row : rows) EXPECT_THAT(error_of_text(row.text), HasSubstr(row.want)) << row.text;
}

TEST(Kubeconfig, NoErrorShowsASecret) {
  EXPECT_THAT(error_of_text(with("token: sesame", "token: [sesame]")), Not(HasSubstr("sesame")));
}

TEST(Kubeconfig, FileNamesAreRelativeToTheirKubeconfig) {
  const Folder folder;
  folder.write("ca.pem", "the authority");
  const std::string path = folder.write(
      "config",
      with("token: sesame",
           "tokenFile: secret/token",
           with("certificate-authority-data: aGVsbG8=", "certificate-authority: ca.pem")));
  const auto config = load_kubeconfig(path);
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->ca_pem, "the authority");
  EXPECT_EQ(config->token_file, folder.path / "secret/token");
}

TEST(Kubeconfig, OfSeveralFilesTheFirstWinsEntryByEntry) {
  const Folder folder;
  const std::string first =
      folder.write("first", "users: [{name: u, user: {tokenFile: mine}}]\ncurrent-context: x\n");
  const std::string second =
      folder.write("second", with("current-context: x", "current-context: other"));
  const std::string third =
      folder.write("third", "clusters: [{name: c, cluster: {server: 'https://third'}}]");
  const auto config =
      load_kubeconfig(first + ":" + (folder.path / "none").string() + "::" + second + ":" + third);
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->server, "https://127.0.0.1:6443");
  EXPECT_EQ(config->token_file, folder.path / "mine");
  EXPECT_TRUE(config->token.empty()) << "an entry is not merged with a later file";
}

TEST(Kubeconfig, ASingleFileMustExist) {
  const Folder folder;
  const std::string none = folder.path / "none";
  EXPECT_THAT(load_kubeconfig(none).error().message(), HasSubstr("cannot read " + none));
  EXPECT_THAT(load_kubeconfig(none + ":" + none).error().message(),
              HasSubstr("none of these files exists"));
  const std::string broken = folder.write("broken", "a: [");
  EXPECT_THAT(load_kubeconfig(none + ":" + broken).error().message(), HasSubstr(broken + ": line"));
}

constexpr std::string_view kExec = R"(
clusters:
- name: c
  cluster:
    server: https://h/k8s/clusters/c-1
    certificate-authority-data: aGVsbG8=
    tls-server-name: t
    extensions:
    - {name: other, extension: {no: no}}
    - name: client.authentication.k8s.io/exec
      extension: {audience: a, list: [1, "1", true, null]}
users:
- name: u
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: bin/login
      args: [get-token, --quiet]
      env: [{name: A, value: "1"}, {name: B, value: ""}]
      installHint: install it
      interactiveMode: IfAvailable
      provideClusterInfo: true
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
)";

TEST(Kubeconfig, AnExecPluginIsReadWithItsClusterInfo) {
  const auto config = parse(std::string(kExec));
  ASSERT_TRUE(config.ok()) << config.error().message();
  ASSERT_TRUE(config->exec.has_value());
  EXPECT_EQ(config->exec->command, "/home/a/.kube/bin/login");
  EXPECT_THAT(config->exec->args, ElementsAre("get-token", "--quiet"));
  EXPECT_THAT(config->exec->environment, ElementsAre("A=1", "B="));
  EXPECT_EQ(config->exec->install_hint, "install it");
  EXPECT_EQ(
      exec_info(*config->exec),
      R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","spec":{"interactive":false,)"
      R"("cluster":{"server":"https://h/k8s/clusters/c-1","tls-server-name":"t",)"
      R"("certificate-authority-data":"aGVsbG8=","config":{"audience":"a","list":[1,"1",true,null]}}}})");
}

TEST(Kubeconfig, APluginInThePathAndWithoutClusterInfo) {
  const auto config = parse(with("command: bin/login",
                                 "command: login",
                                 with("provideClusterInfo: true", "", std::string(kExec))));
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->exec->command, "login");
  EXPECT_EQ(
      exec_info(*config->exec),
      R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","spec":{"interactive":false}})");
}

TEST(Kubeconfig, ADamagedFileIsAtMostAnError) {
  const auto survives = [] {
    std::string text(*rc::gen::element(kWhole, kExec));
    const auto edits = *rc::gen::container<std::vector<std::pair<std::size_t, char>>>(
        *rc::gen::inRange<std::size_t>(1, 6),
        rc::gen::pair(
            rc::gen::inRange<std::size_t>(0, text.size()),
            rc::gen::element('[', ']', '{', '}', ':', '\n', ' ', '*', '&', '!', '"', 'x')));
    for (const auto& [at, c] : edits) text[at] = c;
    const auto config = parse(text);
    const bool fine = config.ok() || config.error().is(base::Kind::invalid);
    RC_ASSERT(fine);  // RC_ASSERT itself would evaluate both sides
  };
  EXPECT_TRUE(rc::check(survives));
}

TEST(InClusterConfig, IsThePodsServiceAccount) {
  const Folder folder;
  folder.write("ca.crt", "ca");
  folder.write("namespace", "slurm\n");
  const auto config = in_cluster_config(folder.path, "fd00::1", "443");
  ASSERT_TRUE(config.ok()) << config.error().message();
  EXPECT_EQ(config->server, "https://[fd00::1]:443");
  EXPECT_EQ(config->token_file, folder.path / "token");
  EXPECT_EQ(config->ns, "slurm");
  EXPECT_FALSE(in_cluster_config(folder.path, "", "").ok());
  EXPECT_FALSE(in_cluster_config(folder.path / "none", "h", "1").ok());
}

}  // namespace
}  // namespace kube::inline auth
