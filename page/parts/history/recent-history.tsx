import { useHistory } from "../../live/history.ts";
import { linkHistory } from "../../model/places.ts";
import { Mark } from "../mark.tsx";
import { Moment } from "../moment.tsx";
import { Section } from "../section.tsx";
import { describeCause } from "./transitions.ts";

interface RecentHistoryProps {
  /** A scope; absent: all decisions. */
  readonly subject?: string;
  readonly title?: string;
  readonly count?: number;
}

/** What the list says when it has no entry. */
const sentences = {
  loading: "The history is being read.",
  unknown: "No planner has published the ledger's history.",
  known: "The ledger has no decision about this.",
} as const;

function List({ query }: { readonly query: string }) {
  const state = useHistory(query).value;
  if (state.kind === "refused") return <p class="quiet">{state.message}</p>;
  const entries = state.kind === "known" ? state.history.entries : [];
  if (entries.length === 0) return <p class="quiet">{sentences[state.kind]}</p>;
  return (
    <ol class="decisions">
      {entries.map(({ commit, at, actor, cause, sentence }) => {
        const [word, mark] = describeCause(cause);
        return (
          <li key={commit}>
            <Moment at={at} />
            <span class="kind">
              <Mark kind={mark} /> {word}
            </span>
            <span>
              <bdi>{sentence}</bdi>{" "}
              <span class="quiet">
                <bdi>{actor ?? "unknown"}</bdi>
              </span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** The newest decisions about a subject, and the way to all of them. */
export function RecentHistory({ subject = "", title = "Recent decisions", count = 20 }: RecentHistoryProps) {
  const about = subject === "" ? "" : `subject=${encodeURIComponent(subject)}&`;
  return (
    <Section id="decisions" title={title}>
      <List query={`${about}limit=${count}`} />
      <p class="more">
        <a href={linkHistory(subject)}>All decisions</a>
      </p>
    </Section>
  );
}
