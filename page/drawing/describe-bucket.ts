import type { CellKind } from "./cell-kind.ts";
import { listKinds, type Strip } from "./strips.ts";

const words: Readonly<Record<CellKind, string>> = {
  done: "done",
  moving: "restarting",
  waiting: "waiting for their owners",
  failed: "failed",
  pending: "pending",
  skipped: "skipped",
  toCome: "to come",
};

/** The label of a kind. */
export function nameKind(kind: CellKind): string {
  return words[kind];
}

/** What main requests, in short: `25 % requested on 1-25-2`, and of a cluster `7 of 20 requested on 1-25-2`. */
export function describeGoal({ by, to, line, requested, growing }: Strip): string | undefined {
  if (line === undefined) return undefined;
  const share = by === "bucket" ? `${line} %` : `${requested} of ${growing}`;
  return `${share} requested on ${to ?? "their next revision"}`;
}

/** The picture in one sentence, for screen readers. */
export function describeBucket(strip: Strip): string {
  const goal = describeGoal(strip);
  const count = strip.cells.length;
  const kinds = listKinds(strip).map(([kind, number]) => `${number} ${words[kind]}`);
  const lacking = strip.lacking === 0 ? "" : `; ${strip.lacking} ${strip.lacking === 1 ? "lacks" : "lack"} pods`;
  const head = `${strip.name}: ${count} ${count === 1 ? "namespace" : "namespaces"}${goal === undefined ? "" : `, ${goal}`}`;
  return `${head}: ${kinds.join(", ")}${lacking}`;
}
