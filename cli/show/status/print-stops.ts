import type { FleetStatus } from "#libs/plan";

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

/** Where the time of one is over a person has to decide: it is said first. */
function printDeadline({ until, overdue, who }: Stop, reading: Reading): readonly string[] {
  if (until === undefined) return [];
  const time = sayTime(until, reading);
  return [overdue ? `  ! overdue since ${time}: ${who} is asked; it stays all the same` : `  until ${time}`];
}

function printStop(stop: Stop, reading: Reading): readonly Sentence[] {
  const back = stop.rollbackOf === undefined ? "" : `, since run ${stop.rollbackOf} was rolled back`;
  const lines = [
    `${nameKind(stop)} on ${stop.scope}  ${stop.id}, by ${stop.who}${back}`,
    `  ${stop.why}`,
    ...printDeadline(stop, reading),
  ];
  return [...lines.map((line) => sayText(line, reading)), ["  ", { command: sayText(stop.command, reading) }]];
}

/** Pauses, holds and rollbacks in force, overdue ones first, each with the command that ends it. */
export function printStops({ stops }: Pick<FleetStatus, "stops">, reading: Reading): readonly Sentence[] {
  const sorted = stops.toSorted((a, b) => Number(b.overdue) - Number(a.overdue));
  const more =
    stops.length > shown ? [[`… and ${stops.length - shown} more stops:  `, { command: "meshroll get holds" }]] : [];
  return [...sorted.slice(0, shown).flatMap((stop) => printStop(stop, reading)), ...more];
}
