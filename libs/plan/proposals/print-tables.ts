import { printWorkloadReason } from "#libs/wording";

import { code, escapeCell } from "./judging/pull-request-facts.ts";
import type { Proposal } from "./proposal.ts";

const shownRisks = 20;
/** GitHub's limit is 65,535 bytes. */
const maxBytes = 65_000;

/** With a comma behind each thousand. */
export function printNumber(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/gu, ",");
}

/** One decimal, without the sign. */
export function printPercent(count: number, of: number): string {
  return of === 0 ? "0.0" : ((100 * count) / of).toFixed(1);
}

/** A table of Markdown, its first column to the left and all others to the right; "" without rows. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = line(head.map((_, index) => (index === 0 ? "---" : "--:")));
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** Workloads that people may notice, as a warning; "" when there are none. */
export function printRisks({ moves }: Proposal): string {
  const risky = moves.flatMap(({ workloads }) =>
    workloads
      .filter(({ isMigrated, risks, skipped }) => !isMigrated && (risks.length > 0 || skipped !== undefined))
      .map(({ cluster, workload, risks, skipped }) => {
        const why = skipped === undefined ? risks.join("; ") : `stays skipped: ${printWorkloadReason(skipped)}`;
        return `> - ${code(`${cluster}:${workload}`)}: ${escapeCell(why)}`;
      }),
  );
  if (risky.length === 0) return "";
  const more = risky.length - shownRisks;
  return [
    `> [!WARNING]`,
    `> ${printNumber(risky.length)} workloads whose restart may be noticed, or that stay behind:`,
    ...risky.slice(0, shownRisks),
    ...(more > 0 ? [`> - and ${printNumber(more)} more`] : []),
  ].join("\n");
}

/** Cuts whole lines from the end until it fits GitHub's limit, and says so. */
export function fitSummary(text: string): string {
  const encoder = new TextEncoder();
  if (encoder.encode(text).length <= maxBytes) return text;
  const note = "\n\n… cut here: GitHub shows no more";
  const lines = text.split("\n");
  let left = maxBytes - encoder.encode(note).length;
  const kept: string[] = [];
  for (const line of lines) {
    left -= encoder.encode(line).length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return kept.join("\n") + note;
}
