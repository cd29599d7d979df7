import type { WorkloadRef } from "#libs/fleet";
import { compileRollouts, parseRollouts } from "#libs/rollouts";
import type { SandboxCluster } from "#sandbox/fleet";

import { deploysStage } from "../world/files.ts";
import { readMergedRollouts } from "../world/people.ts";
import { findStageRun } from "../story/story.ts";
import { type DemoContext, until } from "./demo-context.ts";

/** A workload of one cluster. */
export interface OwnedWorkload {
  readonly cluster: SandboxCluster;
  readonly ref: WorkloadRef;
}

const label = "istio.io/rev";

/**
 * Workloads whose label in their template is not what the file says, without those that are broken. One owner in four does not
 * deploy before the deadline.
 */
function listDeploys(clusters: readonly SandboxCluster[], rollouts: string): readonly OwnedWorkload[] {
  const parsed = parseRollouts(rollouts, "rollouts.yml");
  if (!parsed.ok) throw new Error("bug: the merged file does not parse");
  const resolver = compileRollouts(parsed.value, "");
  const all = clusters.flatMap((cluster) =>
    cluster.managed
      .filter((ref) => !cluster.broken.includes(ref))
      .filter((ref) => {
        const written = cluster.model.templateOf(ref).labels[label];
        return written !== undefined && written !== resolver.resolve(ref.namespace).revision;
      })
      .map((ref): OwnedWorkload => ({ cluster, ref })),
  );
  return all.filter((_, index) => index % 4 !== 3);
}

/** Deploys a workload with a new image and this revision in its template, as its owner's CI does. */
export function deploy({ cluster, ref }: OwnedWorkload, revision: string, version: number): void {
  const image = `registry.example/${ref.name}:${version}`;
  cluster.model.ownerApply(ref, { templateLabels: { [label]: revision }, image }, { manager: "helm" });
}

/** Deploys of all owners in each pause, and the pause between them, real ms. */
const atOnce = 40;
const pauseMs = 300;

/**
 * While the stage that is left to deploys runs, most owners deploy, each with the label that `meshroll mutate` writes. Returns
 * what was deployed.
 */
export async function deployAsOwners(context: DemoContext): Promise<readonly OwnedWorkload[]> {
  const { environment, display, options, suggester } = context;
  const isBegun = (status: Parameters<typeof findStageRun>[0]): boolean =>
    findStageRun(status, deploysStage) !== undefined || suggester.isOver(status);
  await until(context, "the stage that is left to deploys", isBegun);
  const merged = await readMergedRollouts(environment);
  const deploys = listDeploys(environment.clusters, merged);
  display.say(
    `${deploys.length} owners deploy now, each with the label that \`meshroll mutate\` writes; meshroll restarts nothing`,
  );
  for (let at = 0; at < deploys.length; at += atOnce) {
    for (const each of deploys.slice(at, at + atOnce)) deploy(each, "1-25-2", 2);
    await environment.clock.sleepReal(pauseMs, options.signal);
  }
  return deploys;
}
