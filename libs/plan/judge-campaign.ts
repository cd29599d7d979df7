import { type NamespaceInventory, parseMarks, readRunning, type Workload } from "#libs/fleet";
import { effectiveRevision, resolveTarget } from "#libs/injection";

import { printTime } from "./iso-time.ts";
import type { Ownership } from "./ownership.ts";
import { findCampaign } from "./run-settings.ts";
import type { Standing } from "./standing.ts";
import type { ClusterWorld, Spec } from "./world.ts";

interface Candidate {
  readonly cluster: Pick<ClusterWorld, "facts">;
  readonly head: Spec;
  readonly now: number;
  readonly inventory: NamespaceInventory;
  readonly workload: Workload;
  readonly owned: Ownership;
}

/** What its pods run; where they do not agree, or there are none, what its labels resolve to. */
function readRevision({ inventory, workload, cluster }: Candidate): string | undefined {
  const running = readRunning(workload);
  const effective = effectiveRevision(inventory.namespace, workload, cluster.facts).revision;
  return running.kind === "all" ? running.revision : effective;
}

/**
 * What a campaign leaves alone: namespaces that it excludes, for as long as it does, and workloads on a revision that it does
 * not replace (rules 1.5). A return leaves nobody alone.
 */
export function findLeftOut(candidate: Candidate): Standing | undefined {
  const { cluster, head, now, inventory, owned } = candidate;
  const campaign = owned.returnSince === undefined ? findCampaign(head, owned.run) : undefined;
  if (campaign === undefined) return undefined;
  const name = inventory.namespace.name;
  const excluded = campaign.exclude.find(({ matches, until }) => (until === undefined || now < until) && matches(name));
  if (excluded !== undefined) {
    const { reason, until } = excluded;
    if (until === undefined) return { kind: "aside", reason: `Excluded: ${reason} (${campaign.file})` };
    return { kind: "aside", reason: `Excluded until ${printTime(until)}: ${reason} (${campaign.file})`, until };
  }
  const revision = readRevision(candidate);
  const known = [...campaign.replaces, campaign.target, owned.desired].map((each) =>
    resolveTarget(cluster.facts, each),
  );
  if (revision === undefined || known.includes(revision)) return undefined;
  const message = `runs ${revision}, which ${campaign.file} does not replace (${campaign.replaces.join(", ")})`;
  return { kind: "aside", reason: `OtherRevision: ${message}` };
}

/** The run wrote to it, or to its namespace, itself. */
function isTouchedBy(run: string | undefined, annotations: Readonly<Record<string, string>>): boolean {
  const marks = parseMarks(annotations);
  return marks.kind === "read" && marks.run !== undefined && marks.run.run === run;
}

/**
 * Of what an earlier run left over, nobody counts again what is through, or was given up then (rules 1.3). What the run
 * itself took up stays its own: it counts in its failures, its bake, and the differences from its list.
 */
export function isLeftBehind(
  { isLeftover, run }: Ownership,
  standing: Standing,
  { namespace }: NamespaceInventory,
  workload: Workload,
): boolean {
  if (isLeftover !== true) return false;
  if (isTouchedBy(run?.id, workload.annotations) || isTouchedBy(run?.id, namespace.annotations)) return false;
  return standing.kind === "there" || (standing.kind === "aside" && standing.waited !== true);
}
