// SPDX-License-Identifier: Apache-2.0

// The first process of every pod sandbox and of every real node: it reaps orphans and ends at SIGTERM.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGCHLD, syscall.SIGTERM, syscall.SIGINT)
	for received := range signals {
		if received != syscall.SIGCHLD {
			return
		}
		for { // one signal may stand for several children
			child, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			if err != syscall.EINTR && child <= 0 {
				break
			}
		}
	}
}
