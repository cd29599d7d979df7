import type { Finding } from "#libs/rollouts";

import type { Snapshot, Spec } from "../../records/index.ts";
import { countMigrating, findWeight } from "../judging/write-summary.ts";
import { code, escapeCell, fitTitle } from "../judging/pull-request-facts.ts";
import { fitSummary, printNumber, printPercent, printRisks, printTable } from "../print-tables.ts";
import type { Move, Proposal } from "../proposal.ts";
import { estimateStage, printAbout, type StageEstimate } from "./estimate.ts";
import { printEvidence } from "./evidence.ts";
import { printOutlook } from "./outlook.ts";
import type { ProposedStage } from "../stages/verdict.ts";

/** What people read on a stage's pull request; nothing of it is ever read back. */
export interface StageText {
  readonly title: string;
  readonly body: string;
}

/** All that the text is made from. */
export interface StageTextParts {
  readonly snapshot: Snapshot;
  readonly head: Spec;
  readonly proposed: ProposedStage;
  /** Who moves from head to `proposed.after`. */
  readonly proposal: Proposal;
  /** Of the exact list. */
  readonly digest: string;
}

/** As many namespaces as are shown; the list has them all (rules 10.2). */
const shownMoves = 100;
const shownBuckets = 5;

function listBuckets({ proposed }: StageTextParts): readonly string[] {
  return proposed.changes.map(({ pattern }) => pattern);
}

function printStep({ head, proposed }: StageTextParts, pattern: string): string {
  const [from, to] = [head, proposed.after].map((spec) => findWeight(spec, pattern, proposed.campaign.target));
  return `${from} → ${to} %`;
}

/** `rollout(istio-1-25): production 5 → 25 % on 1-25-2 [5/8 prod-25]`. */
function printTitle(parts: StageTextParts): string {
  const { campaign, stage } = parts.proposed;
  const [first = "", ...more] = listBuckets(parts);
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  const place = `${campaign.stages.indexOf(stage) + 1}/${campaign.stages.length}`;
  const step = `${first} ${printStep(parts, first)}${others} on ${campaign.target}`;
  return fitTitle(`rollout(${campaign.name}): ${step} [${place} ${stage.name}]`);
}

/** Asked and actual, always together: hashing does not hit a percentage exactly. */
function printBucket(parts: StageTextParts, pattern: string): string {
  const counts = parts.proposal.buckets.find(({ bucket }) => bucket === pattern);
  const target = counts?.revisions.find(({ revision }) => revision === parts.proposed.campaign.target);
  const of = counts?.namespaces ?? 0;
  const [before, after] = [target?.before ?? 0, target?.after ?? 0].map((count) => printPercent(count, of));
  return `${code(pattern)} ${printStep(parts, pattern)} (actual ${before} → ${after} %)`;
}

function printHead(parts: StageTextParts): string {
  const { proposal, proposed } = parts;
  const buckets = listBuckets(parts);
  const shown = buckets.slice(0, shownBuckets).map((pattern) => printBucket(parts, pattern));
  const more = buckets.length > shownBuckets ? `; and ${buckets.length - shownBuckets} more buckets` : "";
  const froms = [...new Set(proposal.moves.map(({ from }) => from))].toSorted().map(code);
  const back = proposal.buckets.reduce((sum, bucket) => sum + bucket.back, 0);
  const count = `**${printNumber(proposal.moves.length)} of ${printNumber(proposal.namespaces)}**`;
  return (
    `Moves ${count} managed namespaces from ${froms.join(", ")} to **${code(proposed.campaign.target)}**: ` +
    `${shown.join("; ")}${more}. ${printNumber(back)} move back.`
  );
}

function printClusters({ proposal }: StageTextParts, { clusters, totalMs }: StageEstimate): string {
  const rows = clusters.map(({ cluster, wave, namespaces, workloads, pods, batches, ms }) => [
    `${escapeCell(cluster)} (${wave})`,
    ...[namespaces, workloads, pods, batches].map(printNumber),
    batches === 0 ? "–" : printAbout(ms),
  ]);
  const { workloads, pods } = countMigrating(proposal);
  const batches = clusters.reduce((sum, each) => sum + each.batches, 0);
  const figures = [`${printNumber(proposal.moves.length)} distinct`, ...[workloads, pods, batches].map(printNumber)];
  const all = ["all", ...figures, printAbout(totalMs)].map((cell) => `**${cell}**`);
  return printTable(["cluster (wave)", "namespaces", "workloads", "pods", "batches", "about"], [...rows, all]);
}

function printMove({ proposed }: StageTextParts, { namespace, from, workloads }: Move): readonly string[] {
  const clusters = [...new Set(workloads.map(({ cluster }) => cluster))].join(", ");
  const { position } = proposed.after.resolver.resolve(namespace);
  const place = position === undefined ? "–" : `${position.toFixed(1)} %`;
  return [code(namespace), code(from), place, printNumber(workloads.length), escapeCell(clusters)];
}

function nameMoves(count: number): string {
  if (count === 1) return "The namespace, and where its position lies";
  const total = printNumber(count);
  const which = count > shownMoves ? `The first ${shownMoves} of ${total} namespaces` : `The ${total} namespaces`;
  return `${which}, and where their position lies`;
}

/** The first hundred; where their position lies says why they are the ones. */
function printMoves(parts: StageTextParts): string {
  const { moves } = parts.proposal;
  const rows = moves.slice(0, shownMoves).map((move) => printMove(parts, move));
  const table = printTable(["namespace", "from", "position", "workloads", "clusters"], rows);
  return `<details><summary>${nameMoves(moves.length)}</summary>\n\n${table}\n\n</details>`;
}

function printFindings(findings: readonly Finding[]): string {
  return findings.map(({ code: id, message }) => `> ${id}: ${escapeCell(message)}`).join("\n");
}

/** One line for people's own scripts. Nothing of ours reads it: who may edit a body must not decide anything by it. */
function printPayload(parts: StageTextParts): string {
  const { proposed, proposal, digest, head } = parts;
  const { campaign, stage, after } = proposed;
  const shares = (spec: Spec) =>
    Object.fromEntries(listBuckets(parts).map((pattern) => [pattern, findWeight(spec, pattern, campaign.target)]));
  const back = proposal.buckets.reduce((sum, bucket) => sum + bucket.back, 0);
  const facts = {
    campaign: campaign.name,
    stage: stage.name,
    target: campaign.target,
    from: shares(head),
    to: shares(after),
    digest,
    namespaces: proposal.namespaces,
    moves: proposal.moves.length,
    back,
    assign: "wrh1",
  };
  // A pattern may hold what ends a comment of HTML.
  return `<!-- meshroll:v1 ${JSON.stringify(facts)
    .replaceAll("--", String.raw`-\u002d`)
    .replaceAll(">", String.raw`\u003e`)} -->`;
}

/** Title and body of the pull request that brings a stage (ux §4.1). The same snapshot gives the same text. */
export function describeStage(parts: StageTextParts): StageText {
  const { proposal, proposed, digest, snapshot } = parts;
  const { campaign, stage } = proposed;
  const estimate = estimateStage(campaign, stage, proposal.clusters);
  const record = `branch \`meshroll/ledger\`, \`plans/\`, by the head of this pull request`;
  const sections = [
    printHead(parts),
    printClusters(parts, estimate),
    `<sub>About: a minute per restart, and the stage's own delays; bake, windows and stops come on top.</sub>`,
    printMoves(parts),
    `<sub>The exact list of workloads has the digest \`${digest}\` and stands on ${record}.</sub>`,
    printFindings(proposal.findings),
    printRisks(proposal),
    printEvidence(snapshot.ledger, campaign),
    printOutlook(proposed, proposal, estimate),
  ].filter((part) => part !== "");
  return { title: printTitle(parts), body: `${fitSummary(sections.join("\n\n"))}\n\n${printPayload(parts)}\n` };
}
