import { createRandom } from "#fakes/kube";

import { pick } from "../walk-fleet.ts";

type Random = () => number;

/** One stage: the target's share of one bucket. */
interface WalkStage {
  readonly name: string;
  readonly bucket: string;
  readonly share: number;
  /** Further fields, as in the file. */
  readonly more: string;
}

/** A part of every hour in which the campaign's runs may not move, minutes. */
interface WalkClosed {
  readonly kind: "allow" | "deny";
  readonly minute: number;
  readonly minutes: number;
  readonly atEnd: "finishBatch" | "finishStage" | "stop";
}

/** A walk's campaign, as plain data. */
export interface WalkCampaign {
  readonly name: string;
  readonly stages: readonly WalkStage[];
  readonly order: readonly (readonly string[])[];
  readonly concurrency: number | undefined;
  readonly delaySeconds: number;
  readonly bakeMinutes: number;
  readonly closed: WalkClosed | undefined;
  readonly freeze: { readonly from: number; readonly to: number } | undefined;
  readonly excludeUntil: number | undefined;
  /** Lines of `spec` and of `spec.defaults`. */
  readonly more: readonly string[];
  readonly defaults: readonly string[];
  readonly batch: string;
}

/** A time in which the campaign's file on main had an error. */
export interface Break {
  readonly name: string;
  readonly from: number;
  /** Files that repair main; null deletes. */
  readonly repair: Readonly<Record<string, string | null>>;
}

const minute = 60_000;

function printIso(at: number): string {
  return new Date(at).toISOString().replace(".000Z", "Z");
}

function printCalendar({ closed, freeze }: WalkCampaign): readonly string[] {
  const windows =
    closed === undefined
      ? []
      : [
          "  windows:",
          `    - { kind: ${closed.kind}, schedule: "${closed.minute} * * * *", duration: ${closed.minutes}m, ` +
            `timeZone: Europe/Berlin, atEnd: ${closed.atEnd} }`,
        ];
  const freezes =
    freeze === undefined
      ? []
      : [`  freezes: [{ from: "${printIso(freeze.from)}", to: "${printIso(freeze.to)}", reason: peak }]`];
  return [...windows, ...freezes];
}

function printClusters({ order, concurrency, delaySeconds }: WalkCampaign): string {
  const most = concurrency === undefined ? "" : `, concurrency: ${concurrency}`;
  const waves = order.map((wave) => `[${wave.join(", ")}]`).join(", ");
  const named = order.length === 0 ? "" : `order: [${waves}], `;
  return `  clusters: { ${named}delayBetweenWaves: ${delaySeconds}s${most} }`;
}

function printExclude({ excludeUntil }: WalkCampaign): readonly string[] {
  if (excludeUntil === undefined) return [];
  return [`  exclude: [{ pattern: "shop-b", reason: audit, until: "${printIso(excludeUntil)}" }]`];
}

/** Prints the file in `campaigns/`. */
export function printCampaign(shape: WalkCampaign): string {
  const stages = shape.stages.map(
    ({ name, bucket, share, more }) => `    - { name: ${name}, set: { "${bucket}": ${share} }${more} }`,
  );
  return [
    "apiVersion: meshroll.dev/v1",
    "kind: Campaign",
    `metadata: { name: ${shape.name} }`,
    "spec:",
    "  target: new",
    "  replaces: [old]",
    '  owners: ["user:ana"]',
    printClusters(shape),
    ...printExclude(shape),
    ...printCalendar(shape),
    ...shape.more,
    "  defaults:",
    `    bake: ${shape.bakeMinutes}m`,
    `    batch: { ${shape.batch} }`,
    ...shape.defaults,
    "  stages:",
    ...stages,
    "",
  ].join("\n");
}

/** Whether its window or its freeze keeps its runs from moving. */
export function isClosed({ closed, freeze }: WalkCampaign, at: number): boolean {
  if (freeze !== undefined && at >= freeze.from && at < freeze.to) return true;
  if (closed === undefined) return false;
  const into = (at - closed.minute * minute) % (60 * minute);
  const isInside = into < closed.minutes * minute;
  return closed.kind === "allow" ? !isInside : isInside;
}

function drawStages(random: Random, hasPay: boolean): readonly WalkStage[] {
  const shares = [...new Set([20, 40, 60, 80].filter(() => random() < 0.5)), 100];
  const auto = (): string => (random() < 0.25 ? ", autoMerge: { notice: 2m }" : "");
  const stages = shares.map((share, index) => {
    const bake = random() < 0.2 ? ", bake: 5m" : "";
    return { name: `s${"abcdef"[index] ?? ""}`, bucket: "production", share, more: `${auto()}${bake}` };
  });
  return hasPay ? [...stages, { name: "pay", bucket: "pay-.*", share: 100, more: auto() }] : stages;
}

function drawClosed(random: Random): WalkClosed | undefined {
  if (random() < 0.5) return undefined;
  const atEnd = pick(["finishBatch", "finishStage", "stop"] as const, random()) ?? "stop";
  return random() < 0.5
    ? { kind: "allow", minute: 0, minutes: 48, atEnd }
    : { kind: "deny", minute: 25, minutes: 12, atEnd };
}

const gate =
  "      - { name: errors, when: after, onFail: pause, onNoData: hold, " +
  "prometheus: { query: errors, max: 0.1, interval: 30s, failureLimit: 2 } }";

function drawDefaults(random: Random): readonly string[] {
  const gates = random() < 0.3 ? ["    gates:", gate] : [];
  return [...gates, ...(random() < 0.2 ? ["    strategy: Window"] : [])];
}

function drawBatch(random: Random): string {
  const size = random() < 0.4 ? 1 : 2;
  const limit = pick(["", "", ", maxFailures: 1", ", failurePolicy: ContinueOnError"], random()) ?? "";
  return `batchSize: ${size}, delayBetweenBatches: 10s, readinessTimeout: 60s${limit}`;
}

/** The campaign at the start of a walk; `now`: epoch ms. */
export function drawCampaign(seed: string, now: number, clusters: readonly string[], hasPay: boolean): WalkCampaign {
  const random = createRandom(`campaign ${seed}`);
  const order = random() < 0.3 ? [] : clusters.map((name) => [name]);
  const mode = random() < 0.5 ? "pr" : "now";
  const scope = random() < 0.5 ? "stage" : "campaign";
  const back = `  rollback: { on: [maxFailures, gateFailed], mode: ${mode}, scope: ${scope} }`;
  const start = now + Math.floor(random() * 30) * minute;
  return {
    name: "shop",
    stages: drawStages(random, hasPay),
    order,
    concurrency: random() < 0.3 ? 1 : undefined,
    delaySeconds: random() < 0.5 ? 0 : 60,
    bakeMinutes: pick([0, 1, 3], random()) ?? 0,
    closed: drawClosed(random),
    freeze: random() < 0.2 ? { from: start, to: start + 8 * minute } : undefined,
    excludeUntil: random() < 0.3 ? now + Math.floor(10 + random() * 60) * minute : undefined,
    more: random() < 0.4 ? [back] : [],
    defaults: drawDefaults(random),
    batch: drawBatch(random),
  };
}

/** In half of the walks `pay-.*` has its own campaign; undefined in the others. */
export function drawSecond(seed: string, now: number, clusters: readonly string[]): WalkCampaign | undefined {
  if (createRandom(`beside ${seed}`)() < 0.5) return undefined;
  const stages = [50, 100].map((share) => ({ name: `p${share}`, bucket: "pay-.*", share, more: "" }));
  return { ...drawCampaign(`beside ${seed}`, now, clusters, false), name: "zpay", stages };
}

/** One valid edit of a campaign, as a person may merge it. */
export function editCampaign(shape: WalkCampaign, a: number, b: number): WalkCampaign {
  const at = Math.min(shape.stages.length - 1, Math.floor(b * shape.stages.length));
  const edits: readonly (() => WalkCampaign)[] = [
    () => ({ ...shape, bakeMinutes: pick([0, 1, 4, 6], b) ?? 0 }),
    () => ({ ...shape, stages: shape.stages.map((each, index) => (index === at ? renameStage(each) : each)) }),
    () => ({ ...shape, stages: shape.stages.map((each) => (each.share < 100 ? moveStage(each, b) : each)) }),
    () => ({ ...shape, stages: shape.stages.filter(({ share }, index) => share === 100 || index !== at) }),
    () => ({ ...shape, delaySeconds: b < 0.5 ? 0 : 90 }),
    () => ({ ...shape, order: b < 0.5 ? [] : shape.order.toReversed() }),
    () => ({ ...shape, closed: undefined, freeze: undefined }),
    () => ({ ...shape, excludeUntil: undefined }),
  ];
  return pick(edits, a)?.() ?? shape;
}

function renameStage(stage: WalkStage): WalkStage {
  return { ...stage, name: `${stage.name.slice(0, 20)}x` };
}

/** The same step for all stages, so that shares never fall. */
function moveStage(stage: WalkStage, b: number): WalkStage {
  return { ...stage, share: Math.min(99, Math.max(5, stage.share + (b < 0.5 ? -7 : 9))) };
}
