// Programs in the artifacts of the VMs. All that differs between VMs is in etc/vm.env, below a VM's root.

/** Seconds after a new Envoy's start at which the old one ends. Longer than any request of the tests. */
export const parentShutdownSeconds = 4;

/**
 * Starts pilot-agent, which starts Envoy. While one takes over from another, both pilot-agents run: each has its own folder and
 * its own status port.
 */
export const startProgram = `#!/bin/sh
set -e
. "$MESHROLL_AGENT_ROOT/etc/vm.env"
work="$MESHROLL_AGENT_ROOT/run/epoch-$MESHROLL_RESTART_EPOCH"
rm -rf "$work"
mkdir -p "$work/var/run/secrets/tokens" "$work/etc/istio/proxy"
ln -s "$MESHROLL_AGENT_ROOT/etc/istio-token" "$work/var/run/secrets/tokens/istio-token"
# As root, pilot-agent starts Envoy as another user.
chmod -R a+rwX "$work"
cd "$work"
status=$STATUS_PORT
if [ $((MESHROLL_RESTART_EPOCH % 2)) = 1 ]; then status=$OTHER_STATUS_PORT; fi
export CA_ADDR="$MESHROLL_DISCOVERY_ADDRESS"
export XDS_ROOT_CA="$MESHROLL_AGENT_ROOT/etc/root-cert.pem" CA_ROOT_CA="$MESHROLL_AGENT_ROOT/etc/root-cert.pem"
export PROXY_CONFIG="{
  \\"discoveryAddress\\": \\"$MESHROLL_DISCOVERY_ADDRESS\\",
  \\"binaryPath\\": \\"$MESHROLL_SLOT/launch-envoy\\",
  \\"configPath\\": \\"./etc/istio/proxy\\",
  \\"proxyBootstrapTemplatePath\\": \\"$MESHROLL_SLOT/envoy_bootstrap.json\\",
  \\"concurrency\\": 1,
  \\"drainDuration\\": \\"2s\\",
  \\"proxyAdminPort\\": $ADMIN_PORT,
  \\"statusPort\\": $status,
  \\"readinessProbe\\": {
    \\"httpGet\\": { \\"path\\": \\"/\\", \\"host\\": \\"127.0.0.1\\", \\"port\\": $APPLICATION_PORT },
    \\"periodSeconds\\": 2
  }
}"
exec "$MESHROLL_SLOT/pilot-agent" proxy sidecar --domain "$POD_NAMESPACE.svc.cluster.local"
`;

/** What pilot-agent starts as Envoy: it switches hot restart off, and this leaves it on. */
export const launchProgram = `#!/bin/sh
for each in "$@"; do
  shift
  if [ "$each" != --disable-hot-restart ]; then set -- "$@" "$each"; fi
done
exec "$MESHROLL_SLOT/envoy" "$@" --base-id "$MESHROLL_BASE_ID" --restart-epoch "$MESHROLL_RESTART_EPOCH" \\
  --parent-shutdown-time-s ${parentShutdownSeconds}
`;
