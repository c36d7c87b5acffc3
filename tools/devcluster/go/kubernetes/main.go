// SPDX-License-Identifier: Apache-2.0

// The Kubernetes control plane of the dev cluster as one binary.
//
// k8s.io/kubernetes cannot be `go install`ed (its go.mod replaces the staging modules by folders of its
// own tree), so this module names the same versions and links the three commands we need. Which one runs
// is decided by the name the binary is called by: links named kube-apiserver, kube-controller-manager and
// kube-scheduler point at it. One link step instead of three saves a minute of the cold build.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	commands := map[string]func() *cobra.Command{
		"kube-apiserver":          apiserver.NewAPIServerCommand,
		"kube-controller-manager": controllermanager.NewControllerManagerCommand,
		"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	}
	name := filepath.Base(os.Args[0])
	command, known := commands[name]
	if !known {
		fmt.Fprintf(os.Stderr, "%s: call me kube-apiserver, kube-controller-manager or kube-scheduler\n", name)
		os.Exit(2)
	}
	os.Exit(cli.Run(command()))
}
