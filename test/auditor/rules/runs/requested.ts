import type { AuditedStop, Evidence } from "../../evidence/evidence.ts";
import { answerOf } from "../../reading/files/assignment.ts";
import { headsAt } from "../../reading/main/heads.ts";
import { answerOfRevert, ledgerOf, listMoves, listReverts, type Move } from "../../reading/writes/moves.ts";
import { type Finder, makeRule } from "../rule.ts";

/** Main does not ask for it: only a rollback at once does. */
function isAtOnce(evidence: Evidence, { at, namespace, target, way }: Move): boolean {
  if (way !== "rollback") return false;
  return !headsAt(evidence, at).some((each) => answerOf(each.rollouts, each.settings, namespace) === target);
}

/** The server had a record of it by then, which says who asked. */
function isRecorded(evidence: Evidence, { at, runId, namespace, target }: Move, latest: number): boolean {
  return listReverts(evidence, runId).some(
    (stop) => stop.who !== "" && stop.at <= at + latest && answerOfRevert(evidence, stop, namespace) === target,
  );
}

/** It stood on the bus by then, with who asked: while git is away it is carried out from there. */
function isOnBus({ requests }: Evidence, { at, runId }: Move, latest: number): boolean {
  const asked = (requests?.seen ?? []).filter(
    ({ verb, now, who }) => verb === "rollback" && now === true && who !== "",
  );
  return asked.some((each) => each.scope === `run/${runId}` && each.at <= at + latest);
}

/** Nothing goes back before main says so without a request that was there before the write, and that says who asked. */
export const nowIsRequested = makeRule("nowIsRequested", (evidence, found) => {
  const { requests, graceMs = 0 } = evidence;
  for (const move of listMoves(evidence)) {
    if (!isAtOnce(evidence, move)) continue;
    found.judge();
    if (isRecorded(evidence, move, graceMs) || isOnBus(evidence, move, graceMs)) continue;
    if (requests?.isWhole === true)
      found.refuse(move.cluster.name, move.path, `rolled back at once, and by then no request of a person was there`);
    else found.leave("whether a rollback at once was asked for before its write: not all requests were recorded");
  }
});

/** What the record says of a verb is what the one who asked had said. */
function compareStop({ requests }: Evidence, stop: AuditedStop, found: Finder): void {
  const asked = requests?.seen.filter(({ id }) => id === stop.id) ?? [];
  const place = `stop ${stop.id}`;
  if (stop.who === "") found.refuse("", place, `recorded, and no one is named who asked for it`);
  else if (asked.length === 0) found.leave("who asked for a stop that did not come over the recorded bus");
  else if (!asked.some(({ who, scope }) => who === stop.who && scope === stop.scope)) {
    const said = asked.map(({ who, scope }) => `${who} for ${scope}`).join(" and ");
    found.refuse("", place, `recorded as asked by ${stop.who} for ${stop.scope}, and it was asked by ${said}`);
  } else if (asked.every(({ at }) => at > stop.at)) found.refuse("", place, "recorded before it was asked for");
}

/** Every stop that a verb placed names the person who asked, as they named themselves. */
export const requesterIsNamed = makeRule("requesterIsNamed", (evidence, found) => {
  for (const stop of ledgerOf(evidence).stops) {
    if (stop.cause !== "verb" && stop.cause !== "rollback") continue;
    found.judge();
    compareStop(evidence, stop, found);
  }
});
