import type { Evidence } from "../../evidence/evidence.ts";
import { type CalendarWord, readCalendar } from "../../reading/files/calendar.ts";
import { headsAt, mostAllowed, settingsAt } from "../../reading/main/heads.ts";
import { ledgerOf, listMoves, listMovesIn, type Move } from "../../reading/writes/moves.ts";
import { type Calendar, calendarsOf } from "../../reading/files/settings.ts";
import { makeRule } from "../rule.ts";

function readAll(calendars: readonly Calendar[], at: number): CalendarWord {
  const words = calendars.map(({ windows, freezes }) => readCalendar(windows, freezes, at));
  if (words.includes("closed")) return "closed";
  return words.includes("unread") ? "unread" : "open";
}

/** All that binds a run by every head that an executor may have had: a move is refused where each of them closes it. */
function listCalendars(evidence: Evidence, move: Move, at: number): readonly (readonly Calendar[])[] {
  return headsAt(evidence, at).map((head) => calendarsOf(head, move.run));
}

function isClosed(evidence: Evidence, move: Move, at: number): boolean {
  const all = listCalendars(evidence, move, at);
  return all.length > 0 && all.every((calendars) => readAll(calendars, at) === "closed");
}

/** A run that began may go on to its end, where a window says so: it wrote something, or the server had the record of its first wave. */
function mayFinish(evidence: Evidence, move: Move): boolean {
  const ends = listCalendars(evidence, move, move.at)
    .flat()
    .flatMap(({ ends: said }) => said);
  const own = listMoves(evidence).filter(({ runId, way }) => runId === move.runId && way === "forward");
  const opened = Object.values(ledgerOf(evidence).runs.find(({ id }) => id === move.runId)?.clusters ?? {});
  const beganAt = Math.min(...own.map(({ at }) => at), ...opened);
  return ends.includes("finishStage") && !isClosed(evidence, move, beganAt);
}

/** So long may a batch be on its way to its first write, ms. */
const handMs = 5000;

/**
 * No move forward in a closed window or a freeze, but the rest of the batch in hand: at most batchSize less the one by which
 * it began while all was open.
 */
export const calendarIsKept = makeRule("calendarIsKept", (evidence, found) => {
  for (const cluster of evidence.clusters) {
    let inHand = 0;
    for (const move of listMovesIn(evidence, cluster).filter(
      ({ way, isWorkload }) => way === "forward" && isWorkload,
    )) {
      found.judge();
      const settings = settingsAt(evidence, move.at, move.run);
      if (!isClosed(evidence, move, move.at)) {
        inHand = mostAllowed(settings, (each) => each.batchSize) - 1;
        continue;
      }
      if (mayFinish(evidence, move) || !isClosed(evidence, move, move.at - (evidence.graceMs ?? 0) - handMs)) continue;
      inHand -= 1;
      if (inHand < 0) found.refuse(cluster.name, move.path, "moved forward while a window was closed, or in a freeze");
      else found.leave("a move in a closed window may be the rest of the batch in hand");
    }
  }
});
