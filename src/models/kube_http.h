// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kube_server.h"
#include "models/kubectl_face.h"
#include "net/http_handler.h"
#include "net/loop.h"
#include "net/signal.h"
#include "net/task.h"

namespace models {

// The model behind an HTTP server: objects, kubectl's face, and watches that are told of each
// change as it happens.
//
// Expects     to outlive the server that its handler is given to, and to be outlived by the model.
class KubeHttp {
 public:
  KubeHttp(net::Loop& loop, KubeServer& server);

  net::http::Handler handler();

 private:
  net::Task<net::http::Answer> answer(net::http::Request request);
  net::Task<base::Result<void>> follow(net::http::Request request,
                                       WatchCursor cursor,
                                       net::http::BodyWriter& out);

  net::Loop& loop_;
  KubeServer& server_;
  KubectlFace face_;
  net::Signal changed_;
};

}  // namespace models
