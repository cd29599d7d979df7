import { indexLines, type Lines } from "#libs/input";
import type { Outcome } from "#libs/manifests";
import { renderManifestReason } from "#libs/wording";

import type { Terminal } from "../terminal/terminal.ts";
import { say, showLine } from "../terminal/terminal.ts";
import { type ManifestInput, printPlace } from "./read-inputs.ts";

function nameObject({ kind, name, namespace }: Outcome): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** The workloads that would change, one per line. */
export function listWritten({ text, name }: ManifestInput, outcomes: readonly Outcome[]): readonly string[] {
  const lines = indexLines(text);
  return outcomes.flatMap((outcome) => {
    const { result, at } = outcome;
    if (result.kind !== "written") return [];
    const before = result.before === undefined ? "no label" : result.before;
    return [`${showLine(`${printPlace(name, lines, at)}: ${nameObject(outcome)}: ${before} → ${result.revision}`)}\n`];
  });
}

/** Names workloads of the mesh that stay as they are although their owner can change that; with `-v` all others, too. */
export function reportKept({ text, name }: ManifestInput, outcomes: readonly Outcome[], terminal: Terminal): number {
  let refused = 0;
  let lines: Lines | undefined;
  for (const outcome of outcomes) {
    const { result, at } = outcome;
    if (result.kind !== "kept") continue;
    const { message, fix } = renderManifestReason(result.reason);
    const line = () => {
      lines ??= indexLines(text);
      return showLine(`${printPlace(name, lines, at)}: ${nameObject(outcome)} stays as it is: ${message}`);
    };
    if (fix === undefined) terminal.explain?.(line);
    else {
      refused++;
      say(terminal.stderr, `${line()}\n  ${fix}\n`);
    }
  }
  return refused;
}
