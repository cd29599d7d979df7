import type { Bus } from "#libs/bus";
import type { FleetStatus, StopScope } from "#libs/plan";

import { exitCodes } from "./exit-codes.ts";
import { Refusal } from "./refusal.ts";
import { isCurrent } from "./read-published.ts";
import { listClustersOnBus } from "./read-clusters.ts";

/** True when any cluster has published the namespace. */
async function hasNamespace(bus: Bus, name: string): Promise<boolean> {
  const stop = new AbortController();
  let isFound = false;
  const watcher = {
    onEntry: ({ value }: { readonly value?: string }) => void (isFound ||= value !== undefined),
    onReady: () => undefined,
    onReset: () => undefined,
  };
  try {
    await bus.bucket("inventory").watch(`*.${name}`, watcher, stop.signal);
    return isFound;
  } finally {
    stop.abort();
  }
}

function refuseUnknown(scope: string, kind: string, known: readonly string[]): void {
  if (known.length === 0 || known.includes(scope.slice(kind.length + 1))) return;
  const listed = known.slice(0, 10).join(", ") + (known.length > 10 ? `, and ${known.length - 10} more` : "");
  throw new Refusal(exitCodes.invalid, `there is no ${scope}: it would stop nobody`, `known: ${listed}`);
}

function refuseClosedRun(scope: string, { runs }: FleetStatus): void {
  const open = runs.map(({ id }) => `run/${id}`);
  if (open.includes(scope)) return;
  const known = open.length === 0 ? "no run is open" : `open: ${open.join(", ")}`;
  throw new Refusal(
    exitCodes.invalid,
    `${scope} is not open: the stop would bind nobody`,
    `${known};  all  stops everything`,
  );
}

async function refuseUnknownNamespace(bus: Bus, scope: string): Promise<void> {
  if (await hasNamespace(bus, scope.slice("namespace/".length))) return;
  // An empty bus knows nothing of anybody.
  if ((await listClustersOnBus(bus)).size === 0) return;
  throw new Refusal(exitCodes.invalid, `no cluster has a ${scope}: it would stop nobody`, "all  stops everything");
}

/**
 * A stop with a slip of the pen in its scope would say "stopped" and stop nobody: what is known not to exist is refused.
 * What nobody can tell now (no planner, an empty bus) passes: an alarm must not wait for knowledge.
 */
export async function checkScope(bus: Bus, scope: StopScope, status: FleetStatus | undefined): Promise<void> {
  const current = [status].find((each) => each !== undefined && isCurrent(each));
  const [kind = ""] = scope.split("/", 1);
  if (kind === "cluster") refuseUnknown(scope, kind, [...(await listClustersOnBus(bus)).keys()].toSorted());
  if (kind === "namespace") await refuseUnknownNamespace(bus, scope);
  if (current === undefined) return;
  const buckets = current.where.map(({ bucket }) => bucket);
  if (kind === "bucket") refuseUnknown(scope, kind, buckets);
  if (kind === "run") refuseClosedRun(scope, current);
}
