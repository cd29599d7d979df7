import { printDuration } from "../model/duration.ts";
import { readFleetTime } from "../live/fleet-clock.ts";

const local = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** A time in the viewer's zone, as text. */
export function printMoment(at: string): string {
  return local.format(new Date(at));
}

/** A time in the viewer's zone; its title has it in UTC. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {printMoment(at)}
    </time>
  );
}

/** The time left until a moment, by the fleet's clock, and the moment itself. */
export function Countdown({ until }: { readonly until: string }) {
  const time = readFleetTime();
  const left = time === undefined ? Number.NaN : Date.parse(until) - time;
  return (
    <span class="countdown">
      {Number.isNaN(left) ? null : <b>{left <= 0 ? "now due" : `in ${printDuration(left)}`}</b>} <Moment at={until} />
    </span>
  );
}
