import { lookUp } from "#libs/input";
import { type Finding, renderFindings } from "#libs/rollouts";

import { code, escapeCell, fitSummary, fitTitle, joinParagraphs } from "../../markdown/cells.ts";
import { printNumber } from "../../markdown/tables.ts";
import { nameResume, type ResumableStop } from "../../resume-command.ts";
import { renderUntouched } from "./approvals.ts";
import { type ChangeReport, type ChangeWords, printChange, printReport } from "./change.ts";
import { titleMoves } from "./moves.ts";
import { type CheckVerdict, writeCheck } from "../pull-text.ts";
import { renderStageObstacle, type StageObstacle } from "./stage-part.ts";

/** Findings, and the texts of their files by path. */
export interface FindingsWords {
  readonly findings: readonly Finding[];
  readonly texts: Readonly<Record<string, string>>;
}

/** A stop that holds a change. */
export type HoldingWords = ResumableStop & {
  readonly who: string;
  readonly why: string;
  /** ISO. */
  readonly until?: string;
};

/** The result of `meshroll/plan`. */
export type PlanFinding =
  | { readonly kind: "untouched" }
  /** Paths; none: the branches have no common history. */
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | ({ readonly kind: "refused"; readonly report?: ChangeReport } & FindingsWords)
  /** `unread`: main does not parse; `same`: nothing changes that is carried out. */
  | { readonly kind: "nothing"; readonly because: "unread" | "same" }
  | { readonly kind: "noCluster"; readonly change: ChangeWords }
  | { readonly kind: "held"; readonly stops: readonly HoldingWords[]; readonly report: ChangeReport }
  | { readonly kind: "stage"; readonly obstacle: StageObstacle; readonly report: ChangeReport }
  | { readonly kind: "judged"; readonly changesBuckets: boolean; readonly report: ChangeReport & FindingsWords };

export interface PlanCheck {
  readonly state: CheckVerdict["state"];
  readonly finding: PlanFinding;
}

interface Printed {
  readonly title: string;
  /** Absent: the title is enough. */
  readonly summary?: string;
}

/** Findings that a check shows, errors first; a file may have thousands. */
const shownFindings = 50;

/** `rollouts.yml:3:5 error[MR1005]: …`, as compilers print it. */
function printFinding({ file, line, column, severity, code: id, message }: Finding): string {
  return `${file}:${line}:${column} ${severity}[${id}]: ${message}`;
}

/** Findings with their lines, one block per file. */
function printFindings({ findings, texts }: FindingsWords): string {
  const errors = findings.filter(({ severity }) => severity === "error");
  const others = findings.filter(({ severity }) => severity !== "error");
  const shown = [...errors, ...others].slice(0, shownFindings);
  const files = [...new Set(shown.map(({ file }) => file))];
  const blocks = files.map((file) => {
    const here = shown.filter((finding) => finding.file === file);
    return `\`\`\`\`text\n${renderFindings(here, lookUp(texts, file) ?? "")}\n\`\`\`\``;
  });
  const more = findings.length - shown.length;
  return [...blocks, ...(more > 0 ? [`${printNumber(more)} more findings are not shown.`] : [])].join("\n\n");
}

function renderRefused({ findings, texts }: FindingsWords, report: ChangeReport | undefined): Printed {
  const errors = findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const title = first === undefined ? "the files cannot be read" : `${printFinding(first)}${more}`;
  const rest = report === undefined ? "" : printReport(report);
  return { title, summary: joinParagraphs(printFindings({ findings, texts }), rest) };
}

function renderConflict(paths: readonly string[]): Printed {
  const where = paths.length === 0 ? ": they have no common history" : ` in ${paths.join(", ")}`;
  const title = `conflicts with main${where}`;
  return { title, summary: `It ${title}. To fix it: merge main into the branch, and push.` };
}

/** One stop as a line of Markdown: what it holds, who placed it and why, and the command that ends it. */
function printHolding(stop: HoldingWords): string {
  const word = stop.strength === "propose" ? "hold" : "pause";
  const source = stop.rollbackOf === undefined ? word : `hold of the rollback ${code(stop.rollbackOf)}`;
  const until = stop.until === undefined ? "" : `, until ${stop.until}`;
  return (
    `- ${source} on ${code(stop.scope)} by **${escapeCell(stop.who)}**${until}: ${escapeCell(stop.why)}  \n` +
    `  end it with \`${nameResume(stop)}\``
  );
}

function renderHeld(stops: readonly HoldingWords[], report: ChangeReport): Printed {
  const [first] = stops;
  const more = stops.length > 1 ? ` (and ${stops.length - 1} more)` : "";
  const text = `**Held**: it must not be merged now.\n\n${stops.map(printHolding).join("\n")}`;
  return {
    title: `held by ${first?.who ?? ""}: ${first?.why ?? ""}${more}`,
    summary: joinParagraphs(text, printReport(report)),
  };
}

const nothings = {
  unread: "it parses; main does not, so there is nothing to compare it with",
  same: "merging it does not change what the files say",
} as const;

function renderFinding(finding: PlanFinding): Printed {
  switch (finding.kind) {
    case "untouched":
      return renderUntouched();
    case "conflict":
      return renderConflict(finding.paths);
    case "refused":
      return renderRefused(finding, finding.report);
    case "nothing":
      return { title: nothings[finding.because] };
    case "noCluster":
      return { title: "no cluster was seen yet: what moves is unknown", summary: printChange(finding.change) };
    case "held":
      return renderHeld(finding.stops, finding.report);
    case "stage": {
      const { title, text } = renderStageObstacle(finding.obstacle);
      return { title, summary: joinParagraphs(text, printReport(finding.report)) };
    }
    case "judged": {
      const { report } = finding;
      const title = finding.changesBuckets ? titleMoves(report.moves) : "no bucket of rollouts.yml changes";
      return { title, summary: joinParagraphs(printReport(report), printFindings(report)) };
    }
  }
}

export function renderPlanCheck({ state, finding }: PlanCheck): CheckVerdict {
  const { title, summary = title } = renderFinding(finding);
  return writeCheck(state, fitTitle(title), fitSummary(summary));
}
