import { comparePatterns, compilePatterns } from "../patterns/pattern-index.ts";
import { quoteText } from "../source/source.ts";
import type { Bucket, Finding, Rollouts } from "../source/types.ts";

/** A bucket that wins a namespace only by byte order, and the equally long one that loses it. */
interface Tie {
  readonly winner: Bucket;
  readonly loser: Bucket;
  /** The first few. */
  readonly namespaces: string[];
  count: number;
}

/** Names that a finding lists; the others are counted. */
const MAX_NAMED = 3;

/** Findings that are listed: thousands of patterns of one length tie with each other. */
const MAX_TIES = 50;

/**
 * MR1007: two patterns of equal length match a namespace of the fleet, and no longer one does. Byte order would decide (rules
 * 1.8), which their author hardly intended. One finding for each two patterns, at the one that loses.
 */
export function findTies(rollouts: Rollouts, namespaces: Iterable<string>, file = "rollouts.yml"): readonly Finding[] {
  const buckets = rollouts.buckets.toSorted((a, b) => comparePatterns(a.pattern, b.pattern));
  const index = compilePatterns(buckets.map(({ pattern }) => pattern));
  const ties = new Map<string, Tie>();
  for (const namespace of namespaces) {
    const [winner, ...others] = index.findAll(namespace).flatMap((rank) => buckets[rank] ?? []);
    if (winner === undefined) continue;
    for (const loser of others) {
      if (loser.pattern.length < winner.pattern.length) break;
      // More are not looked for: the listed ones must be fixed first.
      if (ties.size >= MAX_TIES) return [...reportTies(ties, file), reportEnd(file)];
      noteTie(ties, winner, loser, namespace);
    }
  }
  return reportTies(ties, file);
}

function reportTies(ties: ReadonlyMap<string, Tie>, file: string): readonly Finding[] {
  const findings = [...ties.values()].map((tie) => reportTie(tie, file));
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function reportEnd(file: string): Finding {
  const message = `there may be more than these ${MAX_TIES} patterns that tie: the rest was not looked for`;
  return { code: "MR1015", severity: "note", file, line: 1, column: 1, message, help: "write these longer first" };
}

function noteTie(ties: Map<string, Tie>, winner: Bucket, loser: Bucket, namespace: string): void {
  const key = JSON.stringify([winner.pattern, loser.pattern]);
  const known = ties.get(key);
  if (known === undefined) {
    ties.set(key, { winner, loser, namespaces: [namespace], count: 1 });
    return;
  }
  known.count += 1;
  if (known.namespaces.length < MAX_NAMED) known.namespaces.push(namespace);
}

function reportTie({ winner, loser, namespaces, count }: Tie, file: string): Finding {
  const { length } = loser.pattern;
  const [first = ""] = namespaces;
  const more = count === 1 ? "" : ` and ${count - 1} more`;
  return {
    code: "MR1007",
    severity: "error",
    file,
    line: loser.line,
    column: loser.column,
    length,
    message: `${quoteText(loser.pattern)} and ${quoteText(winner.pattern)} are equally long and both match ${quoteText(first)}${more}`,
    label: `${length} characters`,
    related: [
      { line: winner.line, column: winner.column, length, message: `${length} characters, wins by byte order` },
    ],
    note: `the longest matching pattern decides${listNames(namespaces, count)}`,
    help: `write the one that should win longer: ${quoteText(lengthen(loser.pattern))} or ${quoteText(lengthen(winner.pattern))}`,
  };
}

/** The same pattern in a longer form. */
function lengthen(pattern: string): string {
  const start = pattern.startsWith("^") ? 1 : 0;
  const end = pattern.endsWith("$") && !pattern.endsWith("\\$") ? pattern.length - 1 : pattern.length;
  const body = pattern.slice(start, end);
  return end - start === pattern.length ? `^${body}$` : `^(?:${body})$`;
}

function listNames(namespaces: readonly string[], count: number): string {
  if (count === 1) return "";
  const rest = count - namespaces.length;
  const names = namespaces.map((name) => quoteText(name));
  return `; it is not clear which for ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
