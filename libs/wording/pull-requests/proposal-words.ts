import { printDuration } from "#libs/campaign";
import type { Finding, RevisionCount } from "#libs/rollouts";

import { code, escapeCell } from "../markdown/cells.ts";
import { printNumber } from "../markdown/tables.ts";
import { printText } from "../text.ts";
import {
  printWorkloadReason,
  renderWorkloadReason,
  type PinnedProxy,
  type SkippedFor,
  type WaitingReason,
} from "../workloads.ts";

/** Why a workload's owner may notice its restart. */
export type MoveRisk =
  | { readonly code: "Idle" | "OneReplica" | "NeedsPromotion" | "NoDisruption" | "UnhealthyBefore" }
  | { readonly code: "BudgetIgnored"; readonly why: string }
  /** The field manager whose server-side apply set its label. */
  | { readonly code: "AppliedByServer"; readonly manager: string }
  /** A group of VMs; `deadline`: so long they are spread over, ms. */
  | { readonly code: "VmGroup"; readonly vms: number; readonly allowed: number; readonly deadline: number }
  | ({ readonly code: "ProxyPinned" } & PinnedProxy)
  | { readonly code: "Waiting"; readonly reason: WaitingReason };

/** A workload of a namespace that moves. */
interface WorkloadWords {
  readonly cluster: string;
  /** `namespace/Kind/name`. */
  readonly workload: string;
  readonly isMigrated: boolean;
  readonly skipped?: SkippedFor;
  readonly risks: readonly MoveRisk[];
}

export interface MoveWords {
  readonly namespace: string;
  readonly from: string;
  readonly to: string;
  readonly workloads: readonly WorkloadWords[];
}

/** The restarts in one cluster. */
export interface ClusterWords {
  readonly cluster: string;
  readonly namespaces: number;
  readonly workloads: number;
  readonly pods: number;
  /** In its groups of VMs; absent where it has none. */
  readonly vms?: number;
}

/** The effect of a change of the file on the fleet, for people. */
export interface ProposalWords {
  readonly moves: readonly MoveWords[];
  /** Managed namespaces of the fleet. */
  readonly namespaces: number;
  readonly clusters: readonly ClusterWords[];
  readonly buckets: readonly {
    readonly bucket: string;
    readonly namespaces: number;
    readonly moves: number;
    readonly back: number;
    readonly revisions: readonly RevisionCount[];
  }[];
  readonly counts: ListedWords;
  readonly findings: readonly Finding[];
}

/** The workloads that its run will have; `workloads` is the sum of the others. */
export interface ListedWords {
  readonly workloads: number;
  readonly listed: number;
  readonly migrated: number;
  readonly skipped: number;
}

/** Why the run will count more workloads than restart; "" where it does not. */
export function printRunSize({ workloads, listed, migrated, skipped }: ListedWords): string {
  if (workloads === listed) return "";
  const parts = [
    `${printNumber(listed)} listed`,
    ...(migrated > 0 ? [`${printNumber(migrated)} on the revision already`] : []),
    ...(skipped > 0 ? [`${printNumber(skipped)} skipped`] : []),
  ];
  return `Its run counts ${printNumber(workloads)} workload${workloads === 1 ? "" : "s"}: ${parts.join(", ")}.`;
}

const shownRisks = 20;

function printVmGroup({ vms, allowed, deadline }: Extract<MoveRisk, { readonly code: "VmGroup" }>): string {
  const spread = deadline === 0 ? "as fast as that lets them" : `spread over ${printDuration(deadline)}`;
  return `${vms} VMs, at most ${allowed} unavailable at once, ${spread}`;
}

/** `12 pods and 3 VMs`: what restarts; VMs only where there are some. */
export function printReplicas({ pods, vms = 0 }: Pick<ClusterWords, "pods" | "vms">): string {
  const own = `${printNumber(pods)} ${pods === 1 ? "pod" : "pods"}`;
  return vms === 0 ? own : `${own} and ${printNumber(vms)} ${vms === 1 ? "VM" : "VMs"}`;
}

const explainConflict =
  "its next deploy that names another revision is refused as a conflict with meshroll, until the manifest names the new one or none";

const riskWords: { readonly [Code in MoveRisk["code"]]: (risk: Extract<MoveRisk, { readonly code: Code }>) => string } =
  {
    Idle: () => "0 replicas: only its label is written, no evidence",
    OneReplica: () => "1 replica: its restart may be noticed",
    NeedsPromotion: () => "its Rollout stops for a person: its owner promotes it",
    NoDisruption: () => "its PodDisruptionBudget allows no disruption: it waits",
    BudgetIgnored: ({ why }) => `goes below its PodDisruptionBudget, which is ignored: ${why}`,
    AppliedByServer: ({ manager }) => `its label comes from a server-side apply by ${manager}: ${explainConflict}`,
    UnhealthyBefore: () => "unhealthy already: tried at the end",
    VmGroup: printVmGroup,
    ProxyPinned: (risk) => printText(renderWorkloadReason(risk).message),
    Waiting: ({ reason }) => printText(renderWorkloadReason(reason).message),
  };

export function printRisk(risk: MoveRisk): string {
  const word = riskWords[risk.code] as (risk: MoveRisk) => string;
  return word(risk);
}

/** Workloads whose restart may be noticed, groups of VMs first, as they last longest. */
function listRisky({ moves }: Pick<ProposalWords, "moves">): readonly WorkloadWords[] {
  const risky = moves.flatMap(({ workloads }) =>
    workloads
      .filter(({ isMigrated }) => !isMigrated)
      .map((each) => ({ ...each, risks: each.risks.filter(({ code }) => code !== "AppliedByServer") }))
      .filter(({ risks, skipped }) => risks.length > 0 || skipped !== undefined),
  );
  const isGroup = ({ risks }: WorkloadWords): boolean => risks.some((risk) => risk.code === "VmGroup");
  return [...risky.filter(isGroup), ...risky.filter((each) => !isGroup(each))];
}

/** Workloads whose owners' next deploy may be refused, counted by the field manager: there may be as many as move. */
export function printApplied({ moves }: Pick<ProposalWords, "moves">): string {
  const counts = new Map<string, number>();
  for (const { isMigrated, skipped, risks } of moves.flatMap(({ workloads }) => workloads)) {
    if (isMigrated || skipped !== undefined) continue;
    for (const risk of risks)
      if (risk.code === "AppliedByServer") counts.set(risk.manager, (counts.get(risk.manager) ?? 0) + 1);
  }
  if (counts.size === 0) return "";
  const lines = [...counts].map(
    ([manager, count]) =>
      `> - ${code(manager)}, ${printNumber(count)} ${count === 1 ? "workload" : "workloads"}: ${explainConflict}`,
  );
  return ["> [!NOTE]", "> Owners' deploys by server-side apply:", ...lines].join("\n");
}

/** They as a warning; "" when there are none. */
export function printRisks(proposal: Pick<ProposalWords, "moves">): string {
  const risky = listRisky(proposal).map(({ cluster, workload, risks, skipped }) => {
    const why =
      skipped === undefined ? risks.map(printRisk).join("; ") : `stays skipped: ${printWorkloadReason(skipped)}`;
    return `> - ${code(`${cluster}:${workload}`)}: ${escapeCell(why)}`;
  });
  if (risky.length === 0) return "";
  const more = risky.length - shownRisks;
  return [
    `> [!WARNING]`,
    `> ${printNumber(risky.length)} workloads whose restart may be noticed, or that stay on the old revision:`,
    ...risky.slice(0, shownRisks),
    ...(more > 0 ? [`> - and ${printNumber(more)} more`] : []),
  ].join("\n");
}

/** Workloads that restart, without those that have migrated already or stay skipped. */
export function countMigrating({ clusters }: { readonly clusters: readonly Omit<ClusterWords, "namespaces">[] }) {
  return {
    workloads: clusters.reduce((sum, each) => sum + each.workloads, 0),
    pods: clusters.reduce((sum, each) => sum + each.pods, 0),
    vms: clusters.reduce((sum, { vms = 0 }) => sum + vms, 0),
  };
}

export function countBack({ buckets }: Pick<ProposalWords, "buckets">): number {
  return buckets.reduce((sum, bucket) => sum + bucket.back, 0);
}
