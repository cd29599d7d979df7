import { readRunning } from "#libs/fleet";
import type { ConvergePlan, JudgedWorkload, StopScope } from "#libs/plan";
import { printWorkloadReason, renderWorkloadReason } from "#libs/wording";

import { type LocalEvaluation, readLocalEvaluation, type StatusOptions } from "../../read/status-source.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import type { ConvergeSubject } from "./choose-subject.ts";

/** The workloads that a converge would move, as far as known here, or why that is unknown; the planner decides by itself. */
export type ConvergePreview =
  | { readonly kind: "known"; readonly plan: ConvergePlan }
  | { readonly kind: "unknown"; readonly why: string };

/** The length of the list on a screen; JSON has all. */
const shown = 20;

/** Main's files, the ledger and the inventory, or why they cannot be read here. */
export type ReadFleet = { readonly fleet: LocalEvaluation } | { readonly why: string };

export async function readFleetFor(options: StatusOptions, terminal: Terminal): Promise<ReadFleet> {
  try {
    return { fleet: await readLocalEvaluation(options, terminal) };
  } catch (error) {
    if (error instanceof Refusal) return { why: error.message };
    throw error;
  }
}

/** The workloads that the planner would name. */
export async function previewConverge(subject: ConvergeSubject, read: ReadFleet): Promise<ConvergePreview> {
  if ("why" in read) return { kind: "unknown", why: read.why };
  const { snapshot, head, evaluation } = read.fleet;
  const { ledger } = snapshot;
  if (ledger === undefined) return { kind: "unknown", why: "there is no ledger yet" };
  const { planConverge } = await import("#libs/plan");
  const order = { id: "preview", ...subject, who: "", why: "", cause: "verb" } as const;
  return { kind: "known", plan: planConverge({ snapshot, ledger, head, evaluation }, order) };
}

function nameRunning({ workload }: JudgedWorkload): string {
  const running = readRunning(workload);
  if (running.kind === "mixed") return Object.keys(running.revisions).toSorted().join(",");
  return running.kind === "all" ? running.revision : "no sidecar";
}

function printCause({ state }: JudgedWorkload): string {
  if (state.kind !== "skipped" || state.reason.code !== "Overwritten") return "";
  return `, ${printWorkloadReason(renderWorkloadReason(state.reason))}`;
}

/** One workload of the list: where it is, what it runs, what main wants, and who changed it. */
export function describeDrift(judged: JudgedWorkload): string {
  return `${judged.cluster}:${judged.key}  ${nameRunning(judged)} → ${judged.desired}${printCause(judged)}`;
}

/** The preview before a person agrees. */
export function printConverge(scope: StopScope, preview: ConvergePreview): readonly string[] {
  if (preview.kind === "unknown") return [`Converge ${scope}`, `  ! what would move cannot be shown: ${preview.why}`];
  const { drift, runs } = preview.plan;
  const [count, more] = [drift.length, drift.length - shown];
  const campaigns = runs.flatMap(({ campaign }) => campaign ?? []);
  return [
    `Converge ${scope}: ${count} workload${count === 1 ? " differs" : "s differ"} from main and would move`,
    ...drift.slice(0, shown).map(({ judged }) => `  ${describeDrift(judged)}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
    ...(runs.length > 1 ? [`  in ${runs.length} runs: a run moves for one campaign`] : []),
    ...(campaigns.length > 0 ? [`  by the waves, windows and gates of ${campaigns.join(", ")}`] : []),
    "  in batches, under every stop, window and budget",
  ];
}
