// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kube/server.h"
#include "models/kubectl/face.h"
#include "net/async/loop.h"
#include "net/async/signal.h"
#include "net/async/task.h"
#include "net/http/handler.h"

namespace models::kubectl {

// The model behind an HTTP server: objects, the kubectl parts, and watches that get each change
// when it happens.
//
// Expects     to outlive the server that uses its handler; the model outlives this.
class KubeHttp {
 public:
  KubeHttp(net::Loop& loop, kube::KubeServer& server);

  net::http::Handler handler();

 private:
  net::Task<net::http::Answer> answer(net::http::Request request);
  net::Task<base::Result<void>> follow(net::http::Request request,
                                       kube::WatchCursor cursor,
                                       net::http::BodyWriter& out);

  net::Loop& loop_;
  kube::KubeServer& server_;
  KubectlFace face_;
  net::Signal changed_;
};

}  // namespace models::kubectl
