import { withChoices } from "../../live/address.ts";
import { asked, past, times } from "../../live/past.ts";
import { Command } from "../../parts/command.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Title } from "../../parts/title.tsx";

/** With its year: a moment of this page has none, and it may be long ago. */
function printAsked(): string {
  const at = new Date(asked.value ?? "");
  return Number.isNaN(at.getTime()) ? "this time" : at.toISOString();
}

/** Which pictures there are. */
function Kept() {
  const all = times.value ?? [];
  const [oldest, newest] = [all[0], all.at(-1)];
  if (oldest === undefined || newest === undefined) return <p>No picture of the fleet is kept yet.</p>;
  return (
    <p>
      Pictures are kept from{" "}
      <a href={withChoices({ at: oldest })}>
        <Moment at={oldest} />
      </a>{" "}
      to{" "}
      <a href={withChoices({ at: newest })}>
        <Moment at={newest} />
      </a>
      .
    </p>
  );
}

/** Where there is no picture of the time that is asked for: which ones there are, and where decisions are kept. */
export function NoPicture() {
  const shown = past.value;
  if (shown.kind === "reading") return <p class="loading">Reading the picture …</p>;
  if (shown.kind === "unread")
    return <p class="loading">The picture could not be read: {shown.why}. It is tried again.</p>;
  return (
    <>
      <Title text="No picture">No picture</Title>
      {shown.kind === "badTime" ? (
        <p>
          The address has no time in <code>at</code> that can be read: it is written as{" "}
          <code>2026-11-19T12:00:00Z</code>.
        </p>
      ) : (
        <p>
          No picture of <code>{printAsked()}</code> is kept. Pictures are on the message bus, for 30 days at most, and
          may be lost.
        </p>
      )}
      <Kept />
      <p>
        Every decision is in the ledger, for good: <Command text="meshroll history" />
      </p>
    </>
  );
}
