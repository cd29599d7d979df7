import { keepTime, parts as address, withChoices } from "../live/address.ts";
import { freshness, status } from "../live/connection.ts";
import { hasPast, isPlaying, past } from "../live/past.ts";
import { Mark, type MarkKind } from "../parts/mark.tsx";
import { Moment } from "../parts/moment.tsx";
import type { FreshnessKind } from "../model/freshness.ts";

const marks: Readonly<Record<FreshnessKind, MarkKind>> = {
  live: "done",
  connecting: "moving",
  behind: "moving",
  cutOff: "failed",
  busAway: "failed",
  stale: "failed",
  unknown: "waiting",
};

/** Which moment is shown; always visible. */
function PastSign() {
  const shown = past.value;
  return (
    <p class="freshness freshness-past" role="status" aria-live={isPlaying.value ? "off" : "polite"}>
      <Mark kind="past" />
      <span>
        {shown.kind === "picture" ? (
          <>
            picture of <Moment at={shown.status.at} />
          </>
        ) : (
          "not the present"
        )}
      </span>
    </p>
  );
}

/** The way to pictures of earlier times. */
function Earlier() {
  const at = status.value?.at;
  if (!hasPast.value || at === undefined) return null;
  return <a href={withChoices({ at })}>Earlier</a>;
}

/** How recent the picture is; always visible. */
function Freshness() {
  const { kind, text, since } = freshness.value;
  const at = status.value?.at;
  return (
    <p class={`freshness freshness-${kind}`} role="status">
      <Mark kind={marks[kind]} />
      <span>{text}</span>
      {since === undefined ? null : <span aria-hidden="true">{since}</span>}
      {kind === "live" || at === undefined ? null : (
        <span class="as-of">
          as of <Moment at={at} />
        </span>
      )}
    </p>
  );
}

const parts = [
  { id: "fleet", name: "Fleet" },
  { id: "waits", name: "Waits" },
  { id: "failures", name: "Failures" },
  { id: "clusters", name: "Clusters" },
  { id: "namespaces", name: "Namespaces" },
];

/** The view of all decisions, from every view. */
function HistoryLink() {
  return (
    <a href="/history" {...(address.value[0] === "history" ? { "aria-current": "page" } : {})}>
      History
    </a>
  );
}

export function Header() {
  return (
    <header class={past.value.kind === "now" ? "top" : "top top-past"}>
      <a class="brand" href={keepTime("/")}>
        meshroll
      </a>
      {address.value.length === 0 ? (
        <nav aria-label="Parts of the page">
          {parts.map(({ id, name }) => (
            <a key={id} href={`#${id}`}>
              {name}
            </a>
          ))}
          <HistoryLink />
        </nav>
      ) : (
        <nav aria-label="Views">
          <a href={keepTime("/")}>All campaigns and namespaces</a>
          <HistoryLink />
        </nav>
      )}
      {past.value.kind === "now" ? (
        <div class="sign">
          <Earlier />
          <Freshness />
        </div>
      ) : (
        <PastSign />
      )}
    </header>
  );
}
