import type { Commit } from "#libs/git";
import type { LedgerUnreadable } from "#libs/ledger";
import { nameDoubt } from "#libs/plan";
import { printText, renderReason } from "#libs/wording";

import type { Broken, LedgerReport } from "./inspect-ledger.ts";
import type { Sentence } from "../terminal/sentence.ts";

const branch = "meshroll/ledger";

function printCommit({ sha, at, author, message }: Commit): string {
  return `${sha.slice(0, 12)}  ${new Date(at).toISOString()}  ${author}  ${message.split("\n")[0] ?? ""}`;
}

function printFault({ file, field, why }: LedgerUnreadable): string {
  return `  ${file}${field === undefined ? "" : `, field ${field}`}: ${why}`;
}

/** A repair loses what the older commit lacks, so a person decides. */
function printRepair({ faults, repair, good }: Broken): readonly Sentence[] {
  if (faults.some(({ isOtherVersion }) => isOtherVersion))
    return ["  another build of meshroll wrote it: install the build that planner and executors run"];
  if (repair === undefined || good === undefined)
    return [
      "  no older commit of the branch can be read",
      ["  ", { command: "git log -p FETCH_HEAD" }, "  shows them"],
    ];
  const lines = Object.entries(repair.files).map(([path, text]) => {
    const isCount = path === "heads" && !repair.isWhole;
    const becomes = text === null ? "is removed: it did not exist" : "as it was there";
    return `    ${path}  ${isCount ? "is counted up by one" : becomes}`;
  });
  return [
    `  the last one that can be read  ${printCommit(good)}`,
    repair.isWhole
      ? "  the whole branch is restored to it:"
      : "  unreadable files are restored from it; all others stay:",
    ...lines,
    "  repair it:",
    ["    ", { command: "meshroll ledger check --repair" }],
  ];
}

function printBroken(broken: Broken): readonly Sentence[] {
  const { faults, by } = broken;
  const first = by === undefined ? [] : [`  first broken by  ${printCommit(by)}`];
  const at = by === undefined ? "" : `commit ${by.sha.slice(0, 12)} of `;
  return [`✖ ${at}branch ${branch} cannot be read`, ...faults.map(printFault), ...first, ...printRepair(broken)];
}

/** For people: whether the branch can be read, and what repairs it. */
export function printReport({ head, state, broken, doubt }: LedgerReport): readonly Sentence[] {
  const lines: Sentence[] = [];
  if (doubt !== undefined) {
    const { message, command = "" } = renderReason(nameDoubt(doubt));
    lines.push(`✖ ${printText(message)}`, "  repair it:", ["    ", { command }]);
  }
  if (broken !== undefined) lines.push(...printBroken(broken));
  if (state !== undefined) {
    const [runs, stops] = [Object.keys(state.runs).length, Object.keys(state.stops).length];
    const size = `sequence ${state.sequence}, ${runs} runs, ${stops} stops`;
    lines.push(`✔ branch ${branch} can be read: commit ${head.slice(0, 12)}, ${size}`);
  }
  return lines;
}

function describeBroken({ faults, by, good, repair }: Broken): object {
  const files = Object.entries(repair?.files ?? {}).map(([path, text]) => [path, text === null ? "remove" : "write"]);
  return {
    faults: faults.map(({ file, field, why }) => ({ file, field, why })),
    ...(by === undefined ? {} : { brokenBy: { commit: by.sha, author: by.author, at: new Date(by.at).toISOString() } }),
    ...(good === undefined ? {} : { lastReadable: good.sha }),
    repair: Object.fromEntries(files),
  };
}

/** For machines. */
export function describeReport({ head, state, broken, doubt }: LedgerReport): object {
  const named = { apiVersion: "meshroll.dev/v1", kind: "LedgerCheck", head, readable: state !== undefined };
  if (doubt !== undefined) return { ...named, doubt };
  if (broken !== undefined) return { ...named, ...describeBroken(broken) };
  return { ...named, sequence: state?.sequence };
}
