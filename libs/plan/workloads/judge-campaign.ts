import { type Campaign, findExclusion } from "#libs/campaign";
import { type NamespaceInventory, parseAnnotations, readRunning, type Workload } from "#libs/fleet";
import { effectiveRevision, resolveTarget } from "#libs/injection";
import { lookUp } from "#libs/input";

import { type ClusterSnapshot, printTime, type Spec } from "../records/index.ts";
import { findCampaign } from "../main/index.ts";
import type { Ownership } from "./ownership.ts";
import { isInPlace, type JudgedWorkload, type WorkloadState } from "./workload-state.ts";

interface Candidate {
  readonly cluster: Pick<ClusterSnapshot, "facts">;
  readonly head: Spec;
  readonly now: number;
  readonly inventory: Pick<NamespaceInventory, "namespace">;
  readonly workload: Workload;
  readonly owned: Ownership;
}

/** The revision of its pods; where they differ, or there are none, the one of its labels. */
function readRevision({ inventory, workload, cluster }: Candidate): string | undefined {
  const running = readRunning(workload);
  if (running.kind === "all") return running.revision;
  return effectiveRevision(inventory.namespace, workload, cluster.facts).revision;
}

const known = new WeakMap<
  Campaign,
  { readonly key: string; readonly facts: object; readonly list: readonly string[] }
>();

/** The revisions of a campaign's and a file's names in a cluster, cached because consecutive workloads share them. */
function listKnown(campaign: Campaign, desired: string, facts: ClusterSnapshot["facts"]): readonly string[] {
  const last = known.get(campaign);
  if (last?.key === desired && last.facts === facts) return last.list;
  const list = [...campaign.replaces, campaign.target, desired].map((each) => resolveTarget(facts, each));
  known.set(campaign, { key: desired, facts, list });
  return list;
}

/**
 * What a campaign leaves out: excluded namespaces, and workloads on a revision that it does not replace (rules 1.5). A rollback
 * leaves none out.
 */
export function findLeftOut(candidate: Candidate): WorkloadState | undefined {
  const { cluster, head, now, inventory, owned } = candidate;
  const name = inventory.namespace.name;
  const campaign = owned.rollbackSince === undefined ? findCampaign(head, owned.run) : undefined;
  if (campaign === undefined) return undefined;
  const excluded = findExclusion(campaign.exclude, name, now);
  if (excluded !== undefined) {
    const { reason: why, until } = excluded;
    const { file } = campaign;
    if (until === undefined) return { kind: "skipped", reason: { code: "Excluded", why, file } };
    return { kind: "skipped", reason: { code: "Excluded", why, file, until: printTime(until) }, until };
  }
  const revision = readRevision(candidate);
  if (revision === undefined) return undefined;
  if (listKnown(campaign, owned.desired, cluster.facts).includes(revision)) return undefined;
  const { file, replaces } = campaign;
  return { kind: "skipped", reason: { code: "OtherRevision", revision, file, replaces } };
}

/** Whether the run wrote to it, or to its namespace. */
function isTouchedBy(run: string | undefined, object: Workload | NamespaceInventory["namespace"]): boolean {
  const marks = parseAnnotations(object);
  return marks.kind === "read" && marks.run !== undefined && marks.run.run === run;
}

/** Workloads that it skipped in this cluster were named at its end; for an archived record that is assumed. */
function tookPart({ leftBy }: Ownership, cluster: string): boolean {
  return leftBy?.archived !== undefined || lookUp(leftBy?.clusters ?? {}, cluster) !== undefined;
}

/**
 * Whether a leftover of an earlier run is not counted again, because it is in place or was skipped then (rules 1.3). A workload
 * that this run has written to is its own, and counts in its failures, its bake, and the differences from its list. So does a
 * skipped one in a cluster that the earlier run never reached, because the end of no run has named it.
 */
export function isLeftBehind(
  owned: Ownership,
  state: WorkloadState,
  { cluster, inventory: { namespace }, workload }: Pick<JudgedWorkload, "cluster" | "inventory" | "workload">,
): boolean {
  const { isLeftover, run } = owned;
  if (isLeftover !== true) return false;
  if (isTouchedBy(run?.id, workload) || isTouchedBy(run?.id, namespace)) return false;
  if (isInPlace(state)) return true;
  return state.kind === "skipped" && state.waited !== true && tookPart(owned, cluster);
}
