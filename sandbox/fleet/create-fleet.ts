import { createModel, createRandom, type KubeModel, type ModelClock } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";

import { addPlatform } from "./add-platform.ts";
import { addTeam } from "./add-team.ts";
import { distributeNamespaces } from "./distribute-namespaces.ts";
import { nameNamespaces } from "./names.ts";

export interface FleetOptions {
  readonly clock: ModelClock;
  readonly seed: string;
  /** Number of different names, over all clusters. */
  readonly namespaces: number;
  /** The revision that a namespace runs when the demo begins. */
  readonly revisionOf: (namespace: string) => string;
  /** Revisions whose istiod and webhook are installed. */
  readonly revisions: readonly string[];
  /** One in so many workloads is broken from the start. */
  readonly brokenOneIn: number;
}

/** A cluster with healthy, broken and unmanaged workloads. */
export interface SandboxCluster {
  readonly name: string;
  readonly model: KubeModel;
  /** Workloads in the mesh that meshroll may move. */
  readonly managed: readonly WorkloadRef[];
  readonly broken: readonly WorkloadRef[];
  /** kube-system, opted out, host network, gateways. */
  readonly unmanaged: readonly WorkloadRef[];
}

function createCluster(options: FleetOptions, name: string, namespaces: readonly string[]): SandboxCluster {
  const { clock, revisions, brokenOneIn, revisionOf } = options;
  const seed = `${options.seed}-${name}`;
  const model = createModel({ clock, seed });
  model.addNamespace("meshroll-system");
  const random = createRandom(`${seed}-fleet`);
  for (const revision of revisions) model.addIstiod(revision);
  const platform = addPlatform(model);
  const teams = namespaces.map((each, index) =>
    addTeam(model, random, { name: each, revision: revisionOf(each), index }),
  );
  const managed = teams.flatMap((team) => team.managed);
  const broken = managed.filter((_, index) => index % brokenOneIn === brokenOneIn - 1);
  for (const ref of broken) model.breakWorkload(ref, { how: "crash" });
  return { name, model, managed, broken, unmanaged: [...platform, ...teams.flatMap((team) => team.optedOut)] };
}

/** Creates the clusters; the same options create the same ones. */
export function createFleet(options: FleetOptions): readonly SandboxCluster[] {
  const distributed = distributeNamespaces(nameNamespaces(options.namespaces));
  return [...distributed].map(([name, namespaces]) => createCluster(options, name, namespaces));
}
