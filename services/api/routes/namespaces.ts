import { answerError, answerJson, type Call, type Route } from "../http/answer.ts";
import { type Packed, packAnswer } from "../http/pack-answer.ts";
import { listChangedRows } from "../status/changed-rows.ts";
import { answerPast } from "./pictures.ts";
import type { ServerParts } from "./server-parts.ts";

/** So many compressed answers are cached while their table is the newest: many readers ask for the same. */
const mostKept = 8;

/**
 * `/v1/namespaces`: every managed namespace, what it runs, what main requests, and when it moves. With `?since=STAMP` only what
 * changed since that table, where it is one of the last. With `?at=` all of an earlier picture.
 */
export function createNamespacesRoute(parts: ServerParts): Route {
  const { namespaces, isBusConnected } = parts;
  let stamp = "";
  let kept = new Map<string, Packed>();

  function print(since: string): string {
    const { rows, ...rest } = namespaces.table() ?? { rows: [] };
    const before = namespaces.earlier(since);
    const now = namespaces.table();
    const changes = before === undefined || now === undefined ? undefined : listChangedRows(before, now);
    return JSON.stringify(changes === undefined ? { ...rest, rows } : { ...rest, ...changes });
  }

  function find(since: string): Packed {
    const known = kept.get(since);
    if (known !== undefined) return known;
    const made = packAnswer(answerJson(200, print(since)));
    if (kept.size >= mostKept) kept = new Map();
    kept.set(since, made);
    return made;
  }

  return {
    method: "GET",
    path: "/v1/namespaces",
    async handle(call: Call) {
      const past = await answerPast(parts, call, (picture) => picture.table);
      if (past !== undefined) return past;
      const table = namespaces.table();
      if (table === undefined) {
        const why = isBusConnected()
          ? "no planner has published its namespaces on this bus"
          : "the bus does not answer";
        return answerError(call, 503, "NamespacesUnknown", `${why}: what they run is not known here`);
      }
      if (table.stamp !== stamp) kept = new Map();
      stamp = table.stamp;
      const since = call.query.get("since") ?? "";
      // A `since` that is not one of the last tables gets the whole table, from one cache entry.
      return find(namespaces.earlier(since) === undefined ? "" : since)(call);
    },
  };
}
