import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";

import { clipLines, escapeMrkdwn, quoteMrkdwn } from "./mrkdwn.ts";

const shownReasons = 8;

function nameOutcome({ state, arrived, aside, takenOverBy }: EventData<"runDone">): string {
  if (takenOverBy !== undefined) return `over: run ${takenOverBy} took its workloads over`;
  switch (state) {
    case "done":
      return aside === 0 ? `done: all ${arrived} workloads arrived` : `done: ${arrived} arrived, ${aside} did not move`;
    case "empty":
      return "over at once: nobody in the fleet was concerned";
    case "gone":
      return "gone: its commit is not on main any more";
  }
}

/** A run is over: what moved, and above all what did not. */
export function renderRunDone(data: EventData<"runDone">): Content {
  const outcome = nameOutcome(data);
  const reasons = (data.reasons ?? []).slice(0, shownReasons).map(({ reason, count, workloads }) => {
    const names = workloads.slice(0, 3).map((name) => quoteMrkdwn(name, 120));
    const more = count > names.length ? `, … ${count - names.length} more` : "";
    return `• ${count} × ${escapeMrkdwn(reason, 120)}: ${names.join(", ")}${more}`;
  });
  const next = data.aside > 0 ? [`*Again* ${quoteMrkdwn(`meshroll retry run/${data.run} --reason "…"`)}`] : [];
  const icon = data.aside > 0 ? ":warning:" : ":white_check_mark:";
  const lines = [`${icon} *Run ${quoteMrkdwn(data.run)} is ${outcome}.*`, ...reasons, ...next];
  return { text: `Run ${data.run} is ${outcome}.`, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
