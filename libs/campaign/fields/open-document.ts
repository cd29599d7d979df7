import { decodeSource, type Finding, type Problem, readYaml, type Source, toFinding } from "#libs/rollouts";
import type { Node } from "yaml";

import type { FileKind } from "../document/file-kind.ts";

export type OpenedDocument =
  | { readonly ok: true; readonly source: Source; readonly root: Node | null }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** A broken file may have a finding per character; no one reads more than this. */
export const mostListed = 50;

/** Advice of the shared readers that is about `rollouts.yml` only. */
const isForeign = /bucket|pattern|rollouts\.yml/;

function advise<T extends { readonly help?: string }>(found: T, { page }: FileKind): T {
  if (found.help === undefined || !isForeign.test(found.help)) return found;
  return { ...found, help: `${page} shows a complete file` };
}

/** What YAML has and no file of ours needs is MR1013 of `rollouts.yml`, and MR3009 of all others. */
function nameCode(problem: Problem): Problem {
  return problem.code === "MR1013" ? { ...problem, code: "MR3009" } : problem;
}

/** Text -> YAML tree without anything that only some readers understand. */
export function openDocument(text: string | Uint8Array, file: string, kind: FileKind): OpenedDocument {
  const decoded = decodeSource(text, file);
  if (!decoded.ok) return { ok: false, findings: decoded.findings.map((finding) => advise(finding, kind)) };
  const { source } = decoded;
  const { root, problems } = readYaml(source);
  if (problems.length === 0) return { ok: true, source, root };
  const listed = problems.slice(0, mostListed).map((problem) => toFinding(source, advise(nameCode(problem), kind)));
  return { ok: false, findings: listed };
}
