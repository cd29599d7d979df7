import type { FleetStatus, StopRecord } from "#libs/plan";

import type { Reading } from "../../options/reading-options.ts";
import { sayTime } from "../../show/status/print-answers.ts";
import { printStops } from "../../show/status/print-stops.ts";
import type { Description } from "./description.ts";

/** A stop: in force by the status, and as the ledger has it. At least one of the two is there. */
export interface KnownStop {
  readonly id: string;
  readonly status: FleetStatus | undefined;
  readonly record: StopRecord | undefined;
}

/** Who placed a hold or a pause, on what and why; whether it is in force, and what ends it. */
export function describeStop({ id, status, record }: KnownStop, reading: Reading): Description {
  const own = status?.stops.filter((stop) => stop.id === id) ?? [];
  const [stop] = own;
  const say = (iso: string | undefined): string | undefined => (iso === undefined ? undefined : sayTime(iso, reading));
  const strength = stop?.strength ?? record?.strength;
  const { resume } = record ?? {};
  const rollbackOf = stop?.rollbackOf ?? record?.rollbackOf;
  return {
    fields: [
      ["Name", id],
      ["Kind", strength === "propose" || rollbackOf !== undefined ? "hold" : "pause"],
      ["Scope", stop?.scope ?? record?.scope],
      ["Who", stop?.who ?? record?.who],
      ["Why", stop?.why ?? record?.why],
      ["Cause", stop?.cause ?? record?.cause],
      ["From", stop?.from],
      ["Placed", say(record?.at)],
      ["Until", say(stop?.until ?? record?.until)],
      ["Overdue", stop?.overdue === true ? "yes" : undefined],
      ["State", resume === undefined ? "in force" : "resumed"],
      ["Resumed", resume === undefined ? undefined : `${sayTime(resume.at, reading)} by ${resume.who}: ${resume.why}`],
    ],
    sections: [
      { title: "Ended by", lines: own.length === 0 || status === undefined ? [] : printStops({ stops: own }, reading) },
      { title: "Failures", lines: record?.failures ?? [] },
    ],
  };
}
