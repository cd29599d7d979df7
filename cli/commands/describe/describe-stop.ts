import type { FleetStatus, StopRecord } from "#libs/plan";

import type { Reading } from "../../options/reading-options.ts";
import { sayTime } from "../../show/status/print-answers.ts";
import { printStops } from "../../show/status/print-stops.ts";
import type { Description } from "./description.ts";

type StopStatus = FleetStatus["stops"][number];

/** A stop: in force by the status, and as the ledger has it. At least one of the two is there. */
export interface KnownStop {
  readonly id: string;
  readonly status: FleetStatus | undefined;
  readonly record: StopRecord | undefined;
}

/** The fields that both have, from the status where it has them. */
type Told = Partial<StopStatus & StopRecord>;

function nameKind({ strength, rollbackOf }: Told): string {
  return strength === "propose" || rollbackOf !== undefined ? "hold" : "pause";
}

/** Who placed a hold or a pause, on what and why; whether it is in force, and what ends it. */
export function describeStop({ id, status, record }: KnownStop, reading: Reading): Description {
  const own = status?.stops.filter((stop) => stop.id === id) ?? [];
  const told: Told = { ...record, ...(own[0] as Told | undefined) };
  const say = (iso: string | undefined): string | undefined => (iso === undefined ? undefined : sayTime(iso, reading));
  const { resume } = told;
  const end = resume === undefined ? undefined : `${sayTime(resume.at, reading)} by ${resume.who}: ${resume.why}`;
  return {
    fields: [
      ["Name", id],
      ["Kind", nameKind(told)],
      ["Scope", told.scope],
      ["Who", told.who],
      ["Why", told.why],
      ["Cause", told.cause],
      ["From", told.from],
      ["Placed", say(told.at)],
      ["Until", say(told.until)],
      ["Overdue", told.overdue === true ? "yes" : undefined],
      ["State", resume === undefined ? "in force" : "resumed"],
      ["Resumed", end],
    ],
    sections: [
      { title: "Ended by", lines: own.length === 0 ? [] : printStops({ stops: own }, reading) },
      { title: "Failures", lines: told.failures ?? [] },
    ],
  };
}
