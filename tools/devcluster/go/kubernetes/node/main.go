// SPDX-License-Identifier: Apache-2.0

// The Kubernetes daemons of a real node as one binary: links named kubelet and kube-proxy point at it, and the
// name by which it is called selects the command. It is separate from the control plane's binary, so that a cluster
// without real nodes does not need to build it.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	commands := map[string]func() *cobra.Command{
		"kubelet":    func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) },
		"kube-proxy": proxy.NewProxyCommand,
	}
	name := filepath.Base(os.Args[0])
	command, known := commands[name]
	if !known {
		fmt.Fprintf(os.Stderr, "%s: call me kubelet or kube-proxy\n", name)
		os.Exit(2)
	}
	os.Exit(cli.Run(command()))
}
