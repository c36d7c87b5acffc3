// SPDX-License-Identifier: Apache-2.0
// A small controller that uses src/kube: copies ConfigMaps into labelled namespaces.
// docs/kube-library.md explains it.
#include "copier.h"
#include "kube/runner/program.h"

#include <cstdio>

int main(int argc, char** argv) {
  kube::ProgramOptions options{.name = "config-map-copier",
                               .kubeconfig = argc > 1 ? argv[1] : "",
                               .lease = kube::ObjectKey{"", "config-map-copier"},
                               .probe_address = argc > 2 ? argv[2] : "",
                               .metrics_address = argc > 3 ? argv[3] : ""};
  auto program = kube::Program::make(std::move(options));
  if (!program.ok()) {
    (void)std::fprintf(stderr, "cannot start: %s\n", program.error().to_string().c_str());
    return 1;
  }
  example::Copier copier((*program)->access());
  kube::Runner& runner = (*program)->runner();
  runner.add(copier.copies());
  runner.add(copier.sources());
  runner.add(copier.namespaces());
  runner.add(copier.made());
  runner.add(copier.controller());
  return (*program)->run();
}
