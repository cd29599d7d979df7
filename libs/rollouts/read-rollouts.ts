import { decodeSource } from "./source/decode.ts";
import { readLayout, type BucketLayout } from "./source/layout.ts";
import { readYaml } from "./file/read-yaml.ts";
import { toFinding, type Problem, type Source } from "./source/source.ts";
import type { Finding } from "./source/types.ts";

/** A file whose structure is known; `problems` may still make it unusable. */
export type Reading =
  | {
      readonly ok: true;
      readonly source: Source;
      readonly buckets: readonly BucketLayout[];
      readonly problems: readonly Problem[];
    }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Characters, then YAML, then structure. A layer is reached only when the one before found nothing: behind a broken one the next would
 * report nonsense.
 */
export function readRollouts(text: string | Uint8Array, file: string): Reading {
  const decoded = decodeSource(text, file);
  if (!decoded.ok) return { ok: false, findings: sortFindings(decoded.findings) };
  const { source } = decoded;
  const tree = readYaml(source);
  if (tree.problems.length > 0) return { ok: false, findings: report(source, tree.problems) };
  return { ok: true, source, ...readLayout(tree.root) };
}

/** Beyond this many, a list is useless and a hostile file costs memory. */
const MAX_FINDINGS = 1_000;

/** Findings in reading order; a list that is too long ends with a note of what it leaves out. */
export function report(source: Source, problems: readonly Problem[]): readonly Finding[] {
  const errorsFirst = problems.length > MAX_FINDINGS ? problems.toSorted((a, b) => rank(a) - rank(b)) : problems;
  const findings = errorsFirst.slice(0, MAX_FINDINGS).map((problem) => toFinding(source, problem));
  const more = problems.length - findings.length;
  if (more === 0) return sortFindings(findings);
  const message = `${more} more findings are not listed`;
  const rest: Problem = {
    code: "MR1015",
    severity: "note",
    span: { start: 0, end: 1 },
    message,
    help: "fix these first",
  };
  return [...sortFindings(findings), toFinding(source, rest)];
}

function rank(problem: Problem): number {
  return problem.severity === undefined || problem.severity === "error" ? 0 : 1;
}

/** By line, then column; two at one place keep the order in which they were found. */
function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
