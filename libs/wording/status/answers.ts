import type { Choice } from "../stop-choices.ts";
import { printText, type Text } from "../text.ts";
import { type TextLine, writeLine } from "../text-line.ts";

/** Workloads that are named in one sentence. */
const shownNames = 3;

function listNames(names: readonly string[], count: number): string {
  const more = count - Math.min(names.length, shownNames);
  return names.slice(0, shownNames).join(", ") + (more > 0 ? `, and ${more} more` : "");
}

export const nothingLine: TextLine = writeLine("nothing");

/** No rollout is in progress. */
export const idleLine: TextLine = writeLine("none in progress");

export function lineMore(count: number): TextLine {
  return writeLine(`and ${count} more`);
}

/** One bucket; `shares` of all revisions, or the target's only. */
export function lineBucket(figures: {
  readonly bucket: string;
  readonly namespaces: number;
  readonly mixed?: number;
  readonly shares: readonly {
    readonly revision?: string;
    readonly requested: number;
    readonly actual: number;
    readonly namespaces: number;
  }[];
}): TextLine {
  const { bucket, namespaces, shares, mixed = 0 } = figures;
  if (namespaces === 0) return writeLine(`${bucket}: no namespace`);
  const parts = shares.map(({ revision, requested, actual, namespaces: count }) => {
    const name = revision === undefined ? "" : `${revision} `;
    return `${name}requested ${requested} %, actual ${actual} % (${count} of ${namespaces})`;
  });
  return writeLine(
    `${bucket}: ${[...parts, ...(mixed > 0 ? [`${mixed} in transition or on another revision`] : [])].join(", ")}`,
  );
}

export const unknownWhereLine: TextLine = writeLine("not known: main does not parse");

/** One cluster's part in a run; `run` is empty where its executor does not name it. */
export function lineRolling({
  cluster,
  workloads,
  run,
}: {
  readonly cluster: string;
  readonly workloads: readonly string[];
  readonly run: string;
}): TextLine {
  const of = run === "" ? "" : ` of run ${run}`;
  return writeLine(
    workloads.length === 0
      ? `${cluster}: a batch${of} is starting`
      : `${cluster}: ${workloads.length} restarting${of}: ${listNames(workloads, workloads.length)}`,
  );
}

/** One cluster's part in a campaign. */
export function lineBatch(figures: {
  readonly cluster: string;
  readonly batch: number;
  readonly of: number;
  readonly migrating: number;
  readonly workloads: readonly string[];
}): TextLine {
  const { cluster, batch, of, migrating, workloads } = figures;
  return writeLine(
    migrating === 0
      ? `${cluster}: batch ${batch}/${of} is starting`
      : `${cluster}: batch ${batch}/${of}, ${migrating} restarting: ${listNames(workloads, migrating)}`,
  );
}

/** A possible action: its command and effect. */
export function lineChoice({ command, effect }: Choice): TextLine {
  return { parts: [{ text: effect }], command, isChoice: true };
}

/** How many scopes wait for the same; `what` is their common kind. */
export interface BlockedScopes {
  readonly count: number;
  readonly what: "clusters" | "runs" | "scopes";
}

function printBlocked({ count, what }: BlockedScopes): readonly string[] {
  return count > 1 ? [` (blocks ${count} ${what})`] : [];
}

/** A wait: how many clusters or runs it blocks, until when, and its owner. */
export function lineWait(
  wait: {
    readonly message: Text;
    readonly owner: string;
    readonly until?: string;
    readonly ageSeconds?: number;
    readonly command?: string;
    readonly choices?: readonly Choice[];
  },
  blocked: BlockedScopes,
): TextLine {
  const { message, owner, until, ageSeconds, command, choices } = wait;
  const { parts } = writeLine(
    printText(message),
    ...(ageSeconds === undefined ? [] : [{ ageSeconds }]),
    ...printBlocked(blocked),
    ...(until === undefined ? [] : [", until ", { time: until }]),
    ` (${owner})`,
  );
  // Its choices have lines of their own.
  return { parts, ...(command === undefined || choices !== undefined ? {} : { command }) };
}
