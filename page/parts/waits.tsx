import type { FleetStatus } from "#libs/plan";
import { printText } from "#libs/wording";

import { groupWaits, type WaitGroup } from "../model/group-waits.ts";
import { printDuration } from "../model/duration.ts";
import { Command } from "./command.tsx";
import { Countdown } from "./moment.tsx";
import { Section } from "./section.tsx";

function Commands({ wait }: Pick<WaitGroup, "wait">) {
  if (wait.choices !== undefined)
    return (
      <ul class="choices">
        {wait.choices.map(({ command, effect }) => (
          <li key={command}>
            <Command text={command} /> <span class="quiet">{printText(effect)}</span>
          </li>
        ))}
      </ul>
    );
  return wait.command === undefined ? <span class="quiet">nothing to type</span> : <Command text={wait.command} />;
}

function Row({ group: { wait, scopes } }: { readonly group: WaitGroup }) {
  return (
    <tr>
      <th scope="row">
        {scopes.slice(0, 3).map((scope) => (
          <code key={scope}>
            <bdi>{scope}</bdi>
          </code>
        ))}
        {scopes.length > 3 ? <span class="quiet"> and {scopes.length - 3} more</span> : null}
      </th>
      <td>
        {printText(wait.message)}
        {wait.ageSeconds === undefined ? null : <span class="quiet"> for {printDuration(wait.ageSeconds * 1000)}</span>}
      </td>
      <td>
        <bdi>{wait.owner}</bdi>
      </td>
      <td>{wait.until === undefined ? "no time is set" : <Countdown until={wait.until} />}</td>
      <td>
        <Commands wait={wait} />
      </td>
    </tr>
  );
}

/** Every wait with its cause, owner, time and command. */
export function Waits({ status }: { readonly status: FleetStatus }) {
  const groups = groupWaits(status.waiting);
  return (
    <Section id="waits" title="Waiting for" note={groups.length === 0 ? "nothing" : String(groups.length)}>
      {groups.length === 0 ? null : (
        <div class="scroll" role="region" tabIndex={0} aria-label="Waits">
          <table class="stacked">
            <thead>
              <tr>
                <th scope="col">what waits</th>
                <th scope="col">why</th>
                <th scope="col">owner</th>
                <th scope="col">until</th>
                <th scope="col">what to type</th>
              </tr>
            </thead>
            <tbody>
              {groups.map((group) => (
                <Row key={group.wait.code + group.scopes.join()} group={group} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
