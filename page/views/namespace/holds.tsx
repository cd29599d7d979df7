import type { FleetStatus } from "#libs/plan";

import { Command } from "../../parts/command.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Countdown } from "../../parts/moment.tsx";
import { Section } from "../../parts/section.tsx";

/** Holds and pauses that bind it and that no wait names. */
export function Holds({ stops }: Pick<FleetStatus, "stops">) {
  if (stops.length === 0) return null;
  return (
    <Section id="holds" title="Held">
      <ul class="plain">
        {stops.map(({ id, scope, strength, who, why, until, command }) => (
          <li key={id}>
            <Mark kind="held" /> {strength === "propose" ? "a hold" : "a pause"} on{" "}
            <code>
              <bdi>{scope}</bdi>
            </code>
            , of <bdi>{who}</bdi>: <bdi>{why}</bdi>
            {until === undefined ? null : (
              <>
                {" "}
                <Countdown until={until} />
              </>
            )}{" "}
            <Command text={command} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
