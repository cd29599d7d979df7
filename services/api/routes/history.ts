import { filterHistory, type HistoryFilter } from "#libs/events";
import { isInstant, isStopScope } from "#libs/input";

import { answerError, answerJson, type Call, type Route } from "../http/answer.ts";
import { type Packed, packAnswer } from "../http/pack-answer.ts";
import type { ServerParts } from "./server-parts.ts";

const usualLimit = 100;
const mostEntries = 1000;
/** Characters of a name or of searched words. */
const longestText = 200;

/** So many compressed answers are cached while the history is the newest: many readers ask for the same. Larger ones are not. */
const mostKept = 16;
const mostKeptBytes = 256 * 1024;

/** A parameter that cannot be read, in a sentence. */
class Unreadable extends Error {}

/** The text of a parameter; undefined where it is absent or empty. */
function find(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name) ?? "";
  if (text.length > longestText) throw new Unreadable(`${name} may have ${longestText} characters at most`);
  return text === "" ? undefined : text;
}

function readTime(query: URLSearchParams, name: string): number | undefined {
  const text = find(query, name);
  if (text === undefined) return undefined;
  // A day is in the time from its beginning and up to its end.
  const whole = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T${name === "until" ? "23:59:59.999" : "00:00:00"}Z` : text;
  if (!isInstant(whole)) throw new Unreadable(`${name} must be a time as 2026-11-19T09:00:00Z or 2026-11-19`);
  return Date.parse(whole);
}

function readLimit(query: URLSearchParams): number {
  const text = find(query, "limit") ?? String(usualLimit);
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > mostEntries) throw new Unreadable(`limit must be a number from 1 to ${mostEntries}`);
  return limit;
}

function readScope(query: URLSearchParams): string | undefined {
  // A bucket's pattern may be longer than other texts.
  const text = query.get("subject") ?? "";
  if (text === "" || isStopScope(text)) return text === "" ? undefined : text;
  const forms = "run/ID, campaign/NAME, cluster/NAME, namespace/NAME, bucket/PATTERN or all";
  throw new Unreadable(`subject must be ${forms}`);
}

function readFilter(query: URLSearchParams): HistoryFilter {
  const [scope, actor, text] = [readScope(query), find(query, "actor"), find(query, "q")];
  const [since, until] = [readTime(query, "since"), readTime(query, "until")];
  return {
    limit: readLimit(query),
    ...(scope === undefined ? {} : { scope }),
    ...(actor === undefined ? {} : { actor }),
    ...(text === undefined ? {} : { text }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

/** The filter of the query; a text where it cannot be read. */
function tryFilter(query: URLSearchParams): HistoryFilter | string {
  try {
    return readFilter(query);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

/** `/v1/history`: what was decided, when, by whom and why, as `meshroll history -o json` prints it. */
export function createHistoryRoute({ history, isBusConnected }: ServerParts): Route {
  let stamp = "";
  let kept = new Map<string, Packed>();

  function make(filter: HistoryFilter): Packed {
    const { lines = [], isCut = false } = history.log() ?? {};
    const named = { apiVersion: "meshroll.dev/v1", kind: "History", stamp };
    const body = JSON.stringify({ ...named, ...filterHistory({ lines, isCut }, filter) });
    const made = packAnswer(answerJson(200, body));
    if (body.length > mostKeptBytes) return made;
    if (kept.size >= mostKept) kept = new Map();
    kept.set(JSON.stringify(filter), made);
    return made;
  }

  return {
    method: "GET",
    path: "/v1/history",
    handle(call: Call) {
      const filter = tryFilter(call.query);
      if (typeof filter === "string") return answerError(call, 400, "BadRequest", filter);
      const log = history.log();
      if (log === undefined) {
        const why = isBusConnected() ? "no planner has published the ledger's history" : "the bus does not answer";
        const where = "in a clone of the rollouts repository, meshroll history prints it";
        return answerError(call, 503, "HistoryUnknown", `${why}: ${where}`);
      }
      if (log.stamp !== stamp) kept = new Map();
      stamp = log.stamp;
      return (kept.get(JSON.stringify(filter)) ?? make(filter))(call);
    },
  };
}
