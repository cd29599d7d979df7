import { type FleetStatus, isUnderRollback } from "#libs/plan";
import { listChoices, printText } from "#libs/wording";

import { sayText, sayTime } from "./print-answers.ts";
import type { Reading } from "../../options/reading-options.ts";
import type { Sentence } from "../../terminal/sentence.ts";

type Stop = FleetStatus["stops"][number];

/** How many are shown before "and N more". */
const shown = 8;

function nameKind({ strength, rollbackOf, cause }: Stop): string {
  if (cause === "rollback") return "rollback";
  if (rollbackOf !== undefined) return "hold";
  return strength === "propose" ? "hold" : "pause";
}

/** An overdue stop needs a person's decision, so its time is shown first. */
function printDeadline({ until, overdue, who }: Stop, reading: Reading): readonly string[] {
  if (until === undefined) return [];
  const time = sayTime(until, reading);
  return [overdue ? `  ! overdue since ${time}: ${who} is reminded; it stays active` : `  until ${time}`];
}

/** Why meshroll placed it, and what should be true before it is ended. */
function printMeaning({ cause, rollbackOf }: Stop): readonly string[] {
  if (cause === "rollback")
    return ["  no new batch goes forward; the workloads that the run moved are rolled back, in batches"];
  if (rollbackOf === undefined) return [];
  return ["  keeps the change from being proposed again; once the cause is fixed, end it:"];
}

/** The command that ends it; for failures and gates, the possible actions, safest first. */
function printWays(stop: Stop, stops: readonly Stop[], reading: Reading): readonly Sentence[] {
  const choices = listChoices({ ...stop, isRollingBack: isUnderRollback(stop, stops) });
  if (choices.length === 0) return [["  ", { command: sayText(stop.command, reading) }]];
  return choices.flatMap(({ command, effect }) => [
    ["  ", { command: sayText(command, reading) }],
    `    ${sayText(printText(effect), reading)}`,
  ]);
}

function printStop(stop: Stop, stops: readonly Stop[], reading: Reading): readonly Sentence[] {
  const back = stop.rollbackOf === undefined ? "" : `, since run ${stop.rollbackOf} rolled it back`;
  const lines = [
    `${nameKind(stop)} on ${stop.scope}  ${stop.id}, by ${stop.who}${back}`,
    `  ${stop.why}`,
    ...printDeadline(stop, reading),
    ...printMeaning(stop),
  ];
  return [...lines.map((line) => sayText(line, reading)), ...printWays(stop, stops, reading)];
}

/** Pauses, holds and rollbacks in force, overdue ones first, each with the command that ends it. */
export function printStops({ stops }: Pick<FleetStatus, "stops">, reading: Reading): readonly Sentence[] {
  const sorted = stops.toSorted((a, b) => Number(b.overdue) - Number(a.overdue));
  const more =
    stops.length > shown ? [[`… and ${stops.length - shown} more stops:  `, { command: "meshroll get holds" }]] : [];
  return [...sorted.slice(0, shown).flatMap((stop) => printStop(stop, stops, reading)), ...more];
}
