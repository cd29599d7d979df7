import type { Figure } from "./bench.ts";

const HEADS = ["METRIC", "OURS", "PEER", "RATIO", "GOAL", ""];

/** Figures as an aligned table, one line each. */
export function printTable(figures: readonly Figure[]): string {
  const rows = [HEADS, ...figures.map(listCells)];
  const widths = HEADS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function listCells({ metric, ours, peer, ratio, goal, isMet, isKnownMiss }: Figure): readonly string[] {
  return [
    metric,
    ours,
    peer === "" ? "-" : peer,
    ratio === "" ? "-" : ratio,
    goal === "" ? "-" : goal,
    goal === "" ? "" : isMet ? "ok" : isKnownMiss === true ? "MISS (known)" : "MISS",
  ];
}
