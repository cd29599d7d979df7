import { parse } from "yaml";

import type { AuditedCommit, AuditedRun } from "../../evidence/evidence.ts";
import { dig } from "./dig.ts";
import { readDuration } from "./durations.ts";

/** The settings of a run by the files of one commit. */
export interface Settings {
  readonly batchSize: number;
  /** The batch size of rollbacks. */
  readonly rollbackSize: number;
  readonly delayMs: number;
  /** How long a workload may take in a rollback, ms. */
  readonly rollbackTimeoutMs: number;
  readonly strategy: string;
  /** A count, or a percentage with its sign; absent = no limit. */
  readonly maxUnavailable: unknown;
  readonly readinessMs: number;
  readonly failurePolicy: string;
  /** As `maxFailures` is written; absent = `failurePolicy` decides. */
  readonly maxFailures: unknown;
  readonly bakeMs: number;
  /** Waves of clusters; empty = one wave. */
  readonly order: readonly (readonly string[])[];
  readonly delayBetweenWavesMs: number;
  /** How long a stage's head must be unchanged before the stage merges itself, ms; undefined = it does not merge itself. */
  readonly noticeMs: number | undefined;
  /** How many people must approve. */
  readonly approvals: number;
  /** What happens when a gate fails, by the gate's name. */
  readonly gates: ReadonlyMap<string, string>;
}

const parsed = new Map<string, unknown>();

/** Parsed files by their text: a log has thousands of writes but only a handful of commits. */
function parseOnce(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (!parsed.has(text)) parsed.set(text, parseSafely(text));
  return parsed.get(text);
}

function parseSafely(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined; // Not YAML: no setting can be read from it.
  }
}

/** The spec of an unfinished campaign. */
function findSpec({ campaigns }: Pick<AuditedCommit, "campaigns">, name: string | undefined): unknown {
  const all = Object.values(campaigns).map((text) => parseOnce(text));
  return name === undefined
    ? undefined
    : dig(
        all.find((each) => dig(each, "metadata", "name") === name),
        "spec",
      );
}

interface Belonging {
  readonly campaign?: string | undefined;
  readonly stage?: string | undefined;
}

/** The places where a setting may be written, innermost first: the stage, the campaign, `meshroll.yml`. */
function listLayers(commit: AuditedCommit, { campaign, stage }: Belonging) {
  const spec = findSpec(commit, campaign);
  const stages = dig(spec, "stages");
  const all: readonly unknown[] = Array.isArray(stages) ? stages : [];
  const own = all.find((each) => dig(each, "name") === stage) ?? all[0];
  return { spec, own, layers: [own, dig(spec, "defaults"), dig(parseOnce(commit.settings), "defaults")] };
}

function first<T>(values: readonly unknown[], read: (value: unknown) => T | undefined): T | undefined {
  for (const value of values) {
    const answer = read(value);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

const asNumber = (value: unknown) => (typeof value === "number" ? value : undefined);
const asText = (value: unknown) => (typeof value === "string" ? value : undefined);

function readApprovals(layers: readonly unknown[]): number {
  const written = first(layers, (layer) => dig(layer, "approvals"));
  return asNumber(written) ?? asNumber(dig(written, "required")) ?? 1;
}

function readOrder(spec: unknown): Settings["order"] {
  const order = dig(spec, "clusters", "order");
  const waves: readonly unknown[] = Array.isArray(order) ? order : [];
  return waves.map((wave) => (Array.isArray(wave) ? wave.map(String) : []));
}

function readNotice(layers: readonly unknown[]): number | undefined {
  const written = first(layers, (layer) => dig(layer, "autoMerge"));
  if (written === true) return 0;
  return readDuration(dig(written, "notice"));
}

/** Gates of all layers, by name; the innermost layer wins. `skipDefaultGates` leaves only the stage's. */
function listGates(layers: readonly unknown[]): ReadonlyMap<string, unknown> {
  const [own] = layers;
  const counted = dig(own, "skipDefaultGates") === true ? [own] : layers.toReversed();
  const gates = counted.flatMap((layer) => {
    const list = dig(layer, "gates");
    return Array.isArray(list) ? (list as readonly unknown[]) : [];
  });
  return new Map(gates.map((gate) => [String(dig(gate, "name")), gate]));
}

function readGates(layers: readonly unknown[]): Settings["gates"] {
  const gates = [...listGates(layers).values()];
  return new Map(gates.map((gate) => [String(dig(gate, "name")), asText(dig(gate, "onFail")) ?? "pause"]));
}

/**
 * The innermost layer that sets `maxFailures` or `FailFast`: `maxFailures` goes on after failures, `FailFast` overrides outer
 * layers.
 */
function readFailures(forward: readonly unknown[]): Pick<Settings, "failurePolicy" | "maxFailures"> {
  for (const batch of forward) {
    const maxFailures = dig(batch, "maxFailures");
    const policy = asText(dig(batch, "failurePolicy"));
    if (maxFailures !== undefined) return { failurePolicy: policy ?? "ContinueOnError", maxFailures };
    if (policy === "FailFast") return { failurePolicy: policy, maxFailures: undefined };
    if (policy !== undefined) {
      const outer = readFailures(forward.slice(forward.indexOf(batch) + 1));
      return { failurePolicy: policy, maxFailures: outer.maxFailures };
    }
  }
  return { failurePolicy: "FailFast", maxFailures: undefined };
}

function readSettings(commit: AuditedCommit, belonging: Belonging): Settings {
  const { spec, layers, own } = listLayers(commit, belonging);
  const back = [own, spec, ...layers.slice(1)].map((layer) => dig(layer, "rollback", "batch"));
  const forward = layers.map((layer) => dig(layer, "batch"));
  const pick = <T>(key: string, read: (value: unknown) => T | undefined, from: readonly unknown[]) =>
    first(from, (batch) => read(dig(batch, key)));
  return {
    batchSize: pick("batchSize", asNumber, forward) ?? 1,
    rollbackSize: pick("batchSize", asNumber, [...back, ...forward]) ?? 1,
    delayMs: pick("delayBetweenBatches", readDuration, forward) ?? 30_000,
    rollbackTimeoutMs: pick("readinessTimeout", readDuration, [...back, ...forward]) ?? 300_000,
    strategy: first(layers, (layer) => asText(dig(layer, "strategy"))) ?? "Batched",
    maxUnavailable: first(forward, (batch) => dig(batch, "maxUnavailable")),
    readinessMs: pick("readinessTimeout", readDuration, forward) ?? 300_000,
    ...readFailures(forward),
    bakeMs: first(layers, (layer) => readDuration(dig(layer, "bake"))) ?? 0,
    order: readOrder(spec),
    delayBetweenWavesMs: readDuration(dig(spec, "clusters", "delayBetweenWaves")) ?? 0,
    noticeMs: readNotice(layers),
    approvals: readApprovals(layers),
    gates: readGates(layers),
  };
}

/** True when this commit's settings let gateways move like any other workload. */
export function movesGateways(commit: AuditedCommit): boolean {
  return dig(parseOnce(commit.settings), "gateways") === "move";
}

const known = new WeakMap<AuditedCommit, Map<string, Settings>>();

/** The settings of a run by one commit. A run without a campaign has those of `meshroll.yml` alone. */
export function settingsOf(commit: AuditedCommit, run: AuditedRun | undefined): Settings {
  const key = JSON.stringify([run?.campaign, run?.stage]);
  const own = known.get(commit) ?? new Map<string, Settings>();
  known.set(commit, own);
  const found = own.get(key) ?? readSettings(commit, { campaign: run?.campaign, stage: run?.stage });
  own.set(key, found);
  return found;
}

/** True when the run's campaign excludes the namespace at that moment. */
export function isExcluded(commit: AuditedCommit, run: AuditedRun | undefined, namespace: string, at: number): boolean {
  const exclude = dig(findSpec(commit, run?.campaign), "exclude");
  const entries: readonly unknown[] = Array.isArray(exclude) ? exclude : [];
  return entries.some((entry) => {
    const until = asText(dig(entry, "until"));
    const isNamed = new RegExp(`^(?:${String(dig(entry, "pattern"))})$`, "u").test(namespace);
    return isNamed && (until === undefined || Date.parse(until) > at);
  });
}

/** True when `meshroll.yml` excludes the cluster: no run waits for it. */
export function isSkipped({ settings }: AuditedCommit, cluster: string): boolean {
  return dig(parseOnce(settings), "clusters", cluster, "excluded") === true;
}
