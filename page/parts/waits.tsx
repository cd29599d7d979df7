import type { FleetStatus } from "#libs/plan";
import { nameLook, printText, wordWaitEnding } from "#libs/wording";

import { findEnd, groupWaits, isForPeople, type WaitGroup } from "../model/group-waits.ts";
import { printDuration } from "../model/duration.ts";
import { Command } from "./command.tsx";
import { Mark } from "./mark.tsx";
import { Countdown } from "./moment.tsx";
import { Section } from "./section.tsx";

type Wait = WaitGroup["wait"];

/** Several commands have a row of their own, with what each of them does. */
function Choices({ choices }: Required<Pick<Wait, "choices">>) {
  return (
    <tr class="choices-row">
      <td colSpan={5}>
        <ul class="choices">
          {choices.map(({ command, effect }) => (
            <li key={command}>
              <Command text={command} /> <span class="quiet">{printText(effect)}</span>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}

/** What to type: the command, or where nothing ends it the command that shows more. */
function WaitCommands({ wait }: { readonly wait: Wait }) {
  if (wait.choices !== undefined) return <>one of the commands below</>;
  if (wait.command !== undefined) return <Command text={wait.command} />;
  return (
    <>
      <Command text={nameLook(wait.scope)} /> <span class="quiet">only shows more</span>
    </>
  );
}

/** When a wait ends: a countdown, or in words what ends it, with the time of a reminder. */
export function WaitEnd({ wait }: { readonly wait: Pick<Wait, "until" | "code"> }) {
  const end = findEnd(wait);
  if (end !== undefined) return <Countdown until={end} />;
  return (
    <>
      {printText(wordWaitEnding(wait.code).text)}
      {wait.until === undefined ? null : (
        <span class="quiet">
          ; reminder <Countdown until={wait.until} />
        </span>
      )}
    </>
  );
}

function Alike({ alike }: Pick<WaitGroup, "alike">) {
  if (alike.length === 0) return null;
  return (
    <details>
      <summary>and {alike.length} more like it</summary>
      <ul class="plain">
        {alike.map(({ scope, message, owner }) => (
          <li key={scope + printText(message)}>
            {printText(message)} <span class="quiet">{owner}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Row({ group: { wait, scopes, alike } }: { readonly group: WaitGroup }) {
  const isPersons = isForPeople(wait);
  return (
    <>
      <tr>
        <th scope="row">
          <Mark kind={isPersons ? "held" : "waiting"} />
          {scopes.slice(0, 3).map((scope) => (
            <code key={scope} class="scope">
              <bdi>{scope}</bdi>
            </code>
          ))}
          {scopes.length > 3 ? <span class="quiet">and {scopes.length - 3} more</span> : null}
        </th>
        <td>
          {printText(wait.message)}
          {wait.ageSeconds === undefined ? null : (
            <span class="quiet"> for {printDuration(wait.ageSeconds * 1000)}</span>
          )}
          <Alike alike={alike} />
        </td>
        <td>
          <bdi>{wait.owner}</bdi>
          {isPersons ? <span class="tag">needs a person</span> : null}
        </td>
        <td>
          <WaitEnd wait={wait} />
        </td>
        <td>
          <WaitCommands wait={wait} />
        </td>
      </tr>
      {wait.choices === undefined ? null : <Choices choices={wait.choices} />}
    </>
  );
}

function noteWaits(groups: readonly WaitGroup[]): string {
  if (groups.length === 0) return "nothing";
  const persons = groups.filter(({ wait }) => isForPeople(wait)).length;
  const rest = persons === 0 ? "none of them for a person" : `${persons} of them for a person`;
  return `${groups.length}, ${rest}`;
}

/** Every wait with its cause, owner, end and command; those for people first. */
export function Waits({ status }: { readonly status: FleetStatus }) {
  const groups = groupWaits(status.waiting);
  return (
    <Section id="waits" title="Waiting for" note={noteWaits(groups)}>
      {groups.length === 0 ? null : (
        <div class="scroll" role="region" tabIndex={0} aria-label="Waits">
          <table class="stacked waits">
            <thead>
              <tr>
                <th scope="col">what waits</th>
                <th scope="col">why</th>
                <th scope="col">owner</th>
                <th scope="col">ends</th>
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
