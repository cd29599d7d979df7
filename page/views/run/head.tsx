import type { ComponentChildren } from "preact";

import { printDuration } from "../../model/duration.ts";
import { linkRun } from "../../model/places.ts";
import { describeRunState } from "../../model/run/run-state.ts";
import { Mark } from "../../parts/mark.tsx";
import { Moment } from "../../parts/moment.tsx";
import type { RunFacts } from "./run-facts.ts";

type Record = RunFacts["record"];

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function RunLinks({ ids }: { readonly ids: readonly string[] }) {
  return (
    <>
      {ids.map((id, at) => (
        <span key={id}>
          {at === 0 ? "" : ", "}
          <a href={linkRun(id)}>run {id}</a>
        </span>
      ))}
    </>
  );
}

function Changes({ changes }: Pick<Record, "changes">) {
  return (
    <ul class="plain">
      {changes.map(({ pattern, from, to, direction }) => (
        <li key={pattern}>
          <code>
            <bdi>{pattern}</bdi>
          </code>{" "}
          <span class="quiet">
            <bdi>{from === "" ? "not in the file" : from}</bdi>
          </span>{" "}
          → <bdi>{to === "" ? "not in the file" : to}</bdi>
          {direction === "rollback" ? " (a rollback)" : ""}
        </li>
      ))}
    </ul>
  );
}

/** The runs that have to do with it. */
function Others({ record: { rolledBackBy, takenOverBy, rollsBack } }: { readonly record: Record }) {
  return (
    <>
      {rolledBackBy === undefined ? null : (
        <Fact name="rolled back by">
          <RunLinks ids={[rolledBackBy]} />
        </Fact>
      )}
      {takenOverBy === undefined || takenOverBy === rolledBackBy ? null : (
        <Fact name="superseded by">
          <RunLinks ids={[takenOverBy]} />
        </Fact>
      )}
      {rollsBack === undefined ? null : (
        <Fact name="rolls back">
          <RunLinks ids={rollsBack} />
        </Fact>
      )}
    </>
  );
}

function Ended({ record: { startedAt, endedAt } }: { readonly record: Record }) {
  if (endedAt === undefined) return null;
  return (
    <Fact name="ended">
      <Moment at={endedAt} />{" "}
      <span class="quiet">after {printDuration(Date.parse(endedAt) - Date.parse(startedAt))}</span>
    </Fact>
  );
}

/** Whose run it is, what it changed, and what became of it. */
export function Head({ facts: { record, fleet } }: { readonly facts: RunFacts }) {
  const { words, mark } = describeRunState(record, fleet?.stops ?? []);
  return (
    <dl class="facts">
      <Fact name="state">
        <span class="state">
          <Mark kind={mark} />
          <b>{words}</b>
        </span>
      </Fact>
      <Fact name="merged">
        <bdi>{record.subject}</bdi>{" "}
        <span class="quiet">
          by <bdi>{record.author}</bdi>
          {record.commit === "" ? null : `, commit ${record.commit.slice(0, 12)}`}
        </span>
      </Fact>
      {record.reason === undefined ? null : (
        <Fact name="reason">
          <bdi>{record.reason}</bdi>
        </Fact>
      )}
      {record.campaign === undefined ? null : (
        <Fact name="campaign">
          <bdi>{record.campaign}</bdi>
          {record.stage === undefined ? null : (
            <>
              , stage <bdi>{record.stage}</bdi>
            </>
          )}
        </Fact>
      )}
      {record.changes.length === 0 ? null : (
        <Fact name="changes">
          <Changes changes={record.changes} />
        </Fact>
      )}
      <Fact name="began">
        <Moment at={record.startedAt} />
      </Fact>
      <Ended record={record} />
      <Others record={record} />
    </dl>
  );
}
