// SPDX-License-Identifier: Apache-2.0

// CoreDNS with the plugins that a closed cluster needs. The default plugin list links three cloud SDKs.
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"

	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/hosts"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/log"
	_ "github.com/coredns/coredns/plugin/ready"
	_ "github.com/coredns/coredns/plugin/reload"
	_ "github.com/coredns/coredns/plugin/template"
)

func main() {
	// The order of the list is the order in which the plugins process a request.
	dnsserver.Directives = []string{"reload", "health", "ready", "log", "errors", "cache", "template", "hosts", "kubernetes"}
	coremain.Run()
}
