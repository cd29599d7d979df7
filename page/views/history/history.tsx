import type { History, LedgerLine } from "#libs/events";

import { choose } from "../../live/address.ts";
import { historyChoice, historyQuery, type HistoryState, useHistory } from "../../live/history.ts";
import { printCount } from "../../model/count.ts";
import { explainChoice, mostEntries, printHistoryCommand, raiseLimit } from "../../model/history-query.ts";
import { linkMoment, linkScope } from "../../model/places.ts";
import { Announcer } from "../../parts/announcer.tsx";
import { Command } from "../../parts/command.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Section } from "../../parts/section.tsx";
import { Title } from "../../parts/title.tsx";
import { describeCause } from "../../parts/history/transitions.ts";
import { Filters } from "./filters.tsx";

/** Scopes in a row before "and N more". */
const mostScopes = 4;

function About({ about }: Pick<LedgerLine, "about">) {
  const more = about.length - mostScopes;
  return (
    <ul class="scopes">
      {about.slice(0, mostScopes).map((scope) => (
        <li key={scope}>
          <a href={linkScope(scope)}>
            <bdi>{scope}</bdi>
          </a>
        </li>
      ))}
      {more > 0 ? <li class="quiet">and {more} more</li> : null}
    </ul>
  );
}

function Row({ line }: { readonly line: LedgerLine }) {
  const { commit, at, clock, actor, cause, sentence, about } = line;
  const [word, mark] = describeCause(cause);
  return (
    <tr>
      <th scope="row">
        <Moment at={at} />
        {clock === "planner" ? null : <span class="quiet"> git's clock</span>}
      </th>
      <td>
        <bdi>{actor ?? "unknown"}</bdi>
      </td>
      <td>
        <span class="kind">
          <Mark kind={mark} />
          {word}
        </span>
        <bdi>{sentence}</bdi>
      </td>
      <td>
        <About about={about} />
      </td>
      <td>
        <code>{commit.slice(0, 12)}</code>
        <a href={linkMoment(at)} aria-label={`as it was then, ${at}`}>
          as it was then
        </a>
      </td>
    </tr>
  );
}

function Table({ entries }: Pick<History, "entries">) {
  return (
    <div class="scroll" role="region" tabIndex={0} aria-label="Decisions">
      <table class="stacked history">
        <thead>
          <tr>
            <th scope="col">when</th>
            <th scope="col">who</th>
            <th scope="col">what</th>
            <th scope="col">about</th>
            <th scope="col">commit</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((line) => (
            <Row key={line.commit} line={line} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How the older ones are seen. */
function Older({ older, isCut }: Pick<History, "older" | "isCut">) {
  const choice = historyChoice.value;
  if (older > 0 && choice.limit < mostEntries)
    return (
      <p>
        <button type="button" class="plain-button" onClick={() => choose({ limit: String(raiseLimit(choice)) })}>
          Show more
        </button>{" "}
        <span class="quiet">{printCount(older, "older decision")} not shown</span>
      </p>
    );
  if (older === 0 && !isCut) return null;
  return (
    <p class="quiet">
      {older > 0 ? `${printCount(older, "older decision")} not shown here.` : "The ledger has older decisions."} In a
      clone of the repository: <Command text={printHistoryCommand({ ...choice, limit: 20_000 })} />
    </p>
  );
}

function Known({ history: { entries, older, isCut } }: { readonly history: History }) {
  if (entries.length === 0)
    return (
      <>
        <p>No decision matches.</p>
        <Older older={older} isCut={isCut} />
      </>
    );
  return (
    <>
      <Table entries={entries} />
      <Older older={older} isCut={isCut} />
    </>
  );
}

function Found({ state }: { readonly state: HistoryState }) {
  if (state.kind === "loading") return <p class="loading">The history is being read.</p>;
  if (state.kind === "refused") return <p>The history cannot be read: {state.message}.</p>;
  if (state.kind === "known") return <Known history={state.history} />;
  return <p>No planner has published the ledger's history yet. A planner that runs does so within a minute.</p>;
}

function summarise(state: HistoryState): string {
  if (state.kind !== "known") return "";
  const { entries, older } = state.history;
  const shown = printCount(entries.length, "decision");
  return older === 0 ? shown : `${entries.length} of ${printCount(entries.length + older, "decision")}`;
}

function Decisions() {
  const state = useHistory(historyQuery.value).value;
  const note = summarise(state);
  const entries = state.kind === "known" ? state.history.entries : [];
  return (
    <Section id="history" title="Decisions" {...(note === "" ? {} : { note })}>
      <Announcer text={note} />
      <Filters entries={entries} />
      <Found state={state} />
    </Section>
  );
}

/** What was decided, when, by whom and why: the ledger's transitions, newest first. */
export function HistoryView() {
  const choice = historyChoice.value;
  const fault = explainChoice(choice);
  return (
    <>
      <Title text="History">History</Title>
      <p>
        What was decided, when, by whom and why, from the ledger.
        {fault === undefined ? (
          <>
            {" "}
            The same on the command line: <Command text={printHistoryCommand(choice)} />
          </>
        ) : null}
      </p>
      {fault === undefined ? (
        <Decisions />
      ) : (
        <Section id="history" title="Decisions">
          <Filters entries={[]} />
          <p>{fault}</p>
        </Section>
      )}
    </>
  );
}
