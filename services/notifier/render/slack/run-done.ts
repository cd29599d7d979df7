import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";
import { addressPage } from "#libs/input";
import { nameTakeover, printEndCounts } from "#libs/wording";

import { printDuration } from "../duration.ts";
import { clipLines, escapeMrkdwn, linkMrkdwn, quoteMrkdwn } from "../mrkdwn.ts";

const shownReasons = 8;

function nameOutcome(data: EventData<"runDone">): string {
  const { state, migrated, idle, skipped, takenOverBy, rolledBack } = data;
  if (takenOverBy !== undefined) return `${nameTakeover(takenOverBy, rolledBack === true)}: ${printEndCounts(data)}`;
  switch (state) {
    case "done":
      if (skipped === 0 && idle === undefined) return `done: all ${migrated} workloads migrated`;
      return `done: ${migrated} migrated, ${idle === undefined ? "" : `${idle} idle (0 replicas), `}${skipped} did not move`;
    case "empty":
      if (skipped === 0) return "ended at once: it concerned no workload";
      return `ended: ${skipped} did not move, all left over by an earlier stage`;
    case "gone":
      return "gone: its commit is not on main any more";
  }
}

function nameStage({ campaign, stage }: EventData<"runDone">): string {
  if (campaign === undefined) return "";
  return ` (${escapeMrkdwn(stage === undefined ? campaign : `${campaign} · ${stage}`, 120)})`;
}

function nameDuration({ startedAt }: EventData<"runDone">, at: string): string {
  const ms = startedAt === undefined ? Number.NaN : Date.parse(at) - Date.parse(startedAt);
  return Number.isFinite(ms) ? ` after ${printDuration(ms)}` : "";
}

/** Differences from the list that the pull request named (rules 10.2). */
function listDifferences({ differences }: EventData<"runDone">): readonly string[] {
  if (differences === undefined || differences.length === 0) return [];
  const counted = differences.map(({ why, count }) => `${count} ${escapeMrkdwn(why, 60)}`);
  return [`*Against its list* ${counted.join(", ")}`];
}

function linkPage({ run }: EventData<"runDone">, page: string | undefined): readonly string[] {
  const address = addressPage(page, { code: "Run", id: run });
  return address === undefined ? [] : [linkMrkdwn(address, "page")];
}

/** A run is over: its duration, what moved and what did not. `at`: its end, ISO; `page`: where the page is served. */
export function renderRunDone(data: EventData<"runDone">, at: string, page?: string): Content {
  const outcome = nameOutcome(data);
  const reasons = (data.reasons ?? []).slice(0, shownReasons).map(({ reason, count, workloads }) => {
    const names = workloads.slice(0, 3).map((name) => quoteMrkdwn(name, 120));
    const more = count > names.length ? `, … ${count - names.length} more` : "";
    return `• ${count} × ${escapeMrkdwn(reason, 120)}: ${names.join(", ")}${more}`;
  });
  const next =
    data.skipped > 0 && data.takenOverBy === undefined
      ? [`*Again* ${quoteMrkdwn(`meshroll retry run/${data.run} --reason "…"`)}`]
      : [];
  const icon = data.skipped > 0 ? ":warning:" : ":white_check_mark:";
  const lines = [
    `${icon} *Run ${quoteMrkdwn(data.run)}${nameStage(data)} is ${outcome}${nameDuration(data, at)}.*`,
    ...reasons,
    ...listDifferences(data),
    ...next,
    ...linkPage(data, page),
  ];
  return { text: `Run ${data.run} is ${outcome}.`, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
