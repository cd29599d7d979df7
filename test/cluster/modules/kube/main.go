// Command kube is etcd, the Kubernetes control plane and kubectl in one binary: the name it is called by, or its
// first argument, says which. One binary links what all of them share once: a third of the size, and one build.
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	_ "time/tzdata"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// Built on demand: each of them registers flags and feature gates of the whole process.
var commands = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllers.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubectl":                 kubectl.NewDefaultKubectlCommand,
}

// takeName answers which part this process is, and leaves its own arguments in os.Args.
func takeName() string {
	name := filepath.Base(os.Args[0])
	if name == "kube" && len(os.Args) > 1 {
		os.Args = os.Args[1:]
		name = os.Args[0]
	}
	return name
}

func main() {
	name := takeName()
	if name == "etcd" {
		etcdmain.Main(os.Args)
		return
	}
	build, known := commands[name]
	if !known {
		parts := append(slices.Sorted(maps.Keys(commands)), "etcd")
		fmt.Fprintf(os.Stderr, "usage: kube %s [flags]\n", strings.Join(parts, "|"))
		os.Exit(2)
	}
	os.Exit(cli.Run(build()))
}
