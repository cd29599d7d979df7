import { printDuration } from "#libs/campaign";
import type { Finding } from "#libs/rollouts";

import { code, escapeCell, fitSummary, fitTitle, joinParagraphs } from "../../markdown/cells.ts";
import { printPercent } from "../../gates/shares.ts";
import { printAbout, printNumber, printTable } from "../../markdown/tables.ts";
import { type EarlierTry, type EvidenceWords, type LostEvidence, printEarlierTry, printEvidence } from "../evidence.ts";
import { type OutlookWords, printOutlook } from "./outlook.ts";
import {
  type ClusterWords,
  countBack,
  countMigrating,
  type MoveWords,
  printApplied,
  printRisks,
  printRunSize,
  type ProposalWords,
} from "../proposal-words.ts";
import { type PullText, writePull } from "../pull-text.ts";

/** One bucket of a stage: whole percent of the target, before and after. */
interface StepWords {
  readonly bucket: string;
  readonly from: number;
  readonly to: number;
}

interface EstimateWords extends ClusterWords {
  readonly vmGroups?: number;
  /** From 1. */
  readonly wave: number;
  readonly batches: number;
  readonly ms: number;
}

/** The content of a stage's pull request. */
export interface StageWords {
  readonly steps: readonly StepWords[];
  readonly proposal: ProposalWords;
  /** The position of a moving namespace in its bucket's ramp, 0 to 100; absent without a ramp. */
  readonly positions: ReadonlyMap<string, number>;
  readonly estimate: { readonly clusters: readonly EstimateWords[]; readonly totalMs: number };
  /** Digest of the exact list. */
  readonly digest: string;
  readonly evidence?: EvidenceWords | LostEvidence;
  /** Where the same stage was tried before and rolled back. */
  readonly earlierTry?: EarlierTry;
  readonly outlook: OutlookWords;
}

/** Namespaces that are shown; the list has all of them (rules 10.2). */
const shownMoves = 100;
const shownBuckets = 5;

function printStep({ from, to }: StepWords): string {
  return `${from} → ${to} %`;
}

/** `rollout(istio-1-25): production 5 → 25 % on 1-25-2 [5/8 prod-25]`. */
function printTitle({ steps, outlook: { campaign, stage } }: StageWords): string {
  const [first, ...more] = steps;
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  const place = `${campaign.stages.indexOf(stage) + 1}/${campaign.stages.length}`;
  const step = first === undefined ? "" : `${first.bucket} ${printStep(first)}${others} on ${campaign.target}`;
  return fitTitle(`rollout(${campaign.name}): ${step} [${place} ${stage.name}]`);
}

/** Requested and actual share together: hashing does not meet a percentage exactly. */
function printBucket({ proposal, outlook }: StageWords, step: StepWords): string {
  const counts = proposal.buckets.find(({ bucket }) => bucket === step.bucket);
  const target = counts?.revisions.find(({ revision }) => revision === outlook.campaign.target);
  const of = counts?.namespaces ?? 0;
  const [before, after] = [target?.before ?? 0, target?.after ?? 0].map((count) => printPercent(count, of));
  return `${code(step.bucket)} ${printStep(step)} (actual ${before} → ${after} %)`;
}

function printHead(words: StageWords): string {
  const { proposal, steps, outlook } = words;
  const shown = steps.slice(0, shownBuckets).map((step) => printBucket(words, step));
  const more = steps.length > shownBuckets ? `; and ${steps.length - shownBuckets} more buckets` : "";
  const froms = [...new Set(proposal.moves.map(({ from }) => from))].toSorted().map(code);
  const count = `**${printNumber(proposal.moves.length)} of ${printNumber(proposal.namespaces)}**`;
  return (
    `Moves ${count} managed namespaces from ${froms.join(", ")} to **${code(outlook.campaign.target)}**: ` +
    `${shown.join("; ")}${more}. ${printNumber(countBack(proposal))} move back.`
  );
}

function printClusters({ proposal, estimate: { clusters, totalMs } }: StageWords): string {
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

/** Groups of VMs take longer than all that restarts, and in no batch. */
function printVms({ estimate: { clusters }, outlook: { stage } }: StageWords): string {
  const groups = clusters.reduce((sum, { vmGroups = 0 }) => sum + vmGroups, 0);
  if (groups === 0) return "";
  const { vms } = countMigrating({ clusters });
  const who = groups === 1 ? "One of the workloads is a group" : `${printNumber(groups)} of the workloads are groups`;
  const { deadline, maxUnavailable } = stage.settings.vms;
  const share = typeof maxUnavailable === "number" ? String(maxUnavailable) : `${maxUnavailable.percent} %`;
  const time = deadline === 0 ? "as fast as that lets them" : `spread over ${printDuration(deadline)}`;
  return (
    `${who} of ${printNumber(vms)} VMs, in no batch: ${groups === 1 ? "its" : "their"} VMs are upgraded one after the other, ${time}, ` +
    `while at most ${share} of a group are unavailable. The stage ends with the last one.`
  );
}

function printMove({ positions }: StageWords, { namespace, from, workloads }: MoveWords): readonly string[] {
  const clusters = [...new Set(workloads.map(({ cluster }) => cluster))].join(", ");
  const position = positions.get(namespace);
  const place = position === undefined ? "–" : `${position.toFixed(1)} %`;
  return [code(namespace), code(from), place, printNumber(workloads.length), escapeCell(clusters)];
}

function nameMoves(count: number): string {
  if (count === 1) return "The namespace, and its position";
  const total = printNumber(count);
  const which = count > shownMoves ? `The first ${shownMoves} of ${total} namespaces` : `The ${total} namespaces`;
  return `${which}, and their positions`;
}

/** The first hundred, with their positions, which show why they move. */
function printMoves(words: StageWords): string {
  const { moves } = words.proposal;
  const rows = moves.slice(0, shownMoves).map((move) => printMove(words, move));
  const table = printTable(["namespace", "from", "position", "workloads", "clusters"], rows);
  return `<details><summary>${nameMoves(moves.length)}</summary>\n\n${table}\n\n</details>`;
}

function printFindings(findings: readonly Finding[]): string {
  return findings.map(({ code: id, message }) => `> ${id}: ${escapeCell(message)}`).join("\n");
}

/** One line for people's own scripts. meshroll never reads it, because anyone who may edit the body could change it. */
function printPayload({ steps, proposal, digest, outlook: { campaign, stage } }: StageWords): string {
  const facts = {
    campaign: campaign.name,
    stage: stage.name,
    target: campaign.target,
    from: Object.fromEntries(steps.map(({ bucket, from }) => [bucket, from])),
    to: Object.fromEntries(steps.map(({ bucket, to }) => [bucket, to])),
    digest,
    namespaces: proposal.namespaces,
    moves: proposal.moves.length,
    back: countBack(proposal),
    assign: "wrh1",
  };
  // A pattern may contain the end of an HTML comment.
  return `<!-- meshroll:v1 ${JSON.stringify(facts)
    .replaceAll("--", String.raw`-\u002d`)
    .replaceAll(">", String.raw`\u003e`)} -->`;
}

function explainAbout({ stage: { settings } }: OutlookWords): string {
  return settings.strategy === "OnDeploy"
    ? "a minute per restart, if no owner deploys before the deadline"
    : "a minute per restart";
}

/** Title and body of a stage's pull request. Equal values give equal texts. */
export function renderStagePull(words: StageWords): PullText {
  const { proposal, digest, outlook } = words;
  const record = `branch \`meshroll/ledger\`, \`plans/\`, by the head of this pull request`;
  const body = joinParagraphs(
    printHead(words),
    printClusters(words),
    printVms(words),
    `<sub>About: ${explainAbout(outlook)}, and the stage's own delays; bake, windows and stops come on top.</sub>`,
    printRunSize(proposal.counts),
    printMoves(words),
    `<sub>The exact list of workloads has the digest \`${digest}\` and is on ${record}.</sub>`,
    printFindings(proposal.findings),
    printRisks(proposal),
    printApplied(proposal),
    printEarlierTry(words.earlierTry),
    printEvidence(words.evidence, outlook.campaign.name),
    printOutlook(outlook),
  );
  return writePull(printTitle(words), `${fitSummary(body)}\n\n${printPayload(words)}\n`);
}
