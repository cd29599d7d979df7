import { decodeSource, type Finding, type Problem, readYaml, type Source, toFinding } from "#libs/rollouts";
import type { Node } from "yaml";

import { checkLimits, findProperties } from "../document/check-limits.ts";
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

/** A YAML tree without anything that only some readers understand, or every problem of the first layer that has one. */
function readTree(
  source: Source,
  kind: FileKind,
): { readonly root: Node | null; readonly problems: readonly Problem[] } {
  const refused = checkLimits(source, kind);
  if (refused.length > 0) return { root: null, problems: refused };
  const { root, problems } = readYaml(source.text);
  return { root, problems: problems.length > 0 ? problems : findProperties(root) };
}

/** Text -> YAML tree. The parser never sees what could make it slow. */
export function openDocument(text: string | Uint8Array, file: string, kind: FileKind): OpenedDocument {
  const decoded = decodeSource(text, file);
  if (!decoded.ok) return { ok: false, findings: decoded.findings.map((finding) => advise(finding, kind)) };
  const { source } = decoded;
  const { root, problems } = readTree(source, kind);
  if (problems.length === 0) return { ok: true, source, root };
  const listed = problems.slice(0, mostListed).map((problem) => toFinding(source, advise(problem, kind)));
  return { ok: false, findings: listed };
}
