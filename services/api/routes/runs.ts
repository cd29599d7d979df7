import { answerError, answerJson, type Call, type Route } from "../http/answer.ts";
import { type Packed, packAnswer } from "../http/pack-answer.ts";
import type { StampedReport } from "../status/follow-runs.ts";
import type { ServerParts } from "./server-parts.ts";

/** So many compressed answers are cached: the watchers of a run ask for the same. */
const mostKept = 8;

function readId({ request }: Call): string {
  return decodeURIComponent(/^\/v1\/runs\/([^/?]+)/.exec(request.url ?? "")?.[1] ?? "");
}

/**
 * `/v1/runs/ID`: a run's record, its present state while it is open, and its course over time. With `?since=STAMP` only the
 * stamp, where that is still the newest.
 */
export function createRunsRoute({ runs, isBusConnected }: ServerParts): Route {
  const kept = new Map<string, { readonly stamp: string; readonly packed: Packed }>();

  function pack(id: string, { stamp, text }: StampedReport): Packed {
    const known = kept.get(id);
    if (known?.stamp === stamp) return known.packed;
    const packed = packAnswer(answerJson(200, `{"stamp":${JSON.stringify(stamp)},${text.slice(1)}`));
    kept.delete(id);
    for (const oldest of kept.keys()) if (kept.size >= mostKept) kept.delete(oldest);
    kept.set(id, { stamp, packed });
    return packed;
  }

  function answerUnknown(call: Call) {
    if (!runs.isKnown()) {
      const why = isBusConnected() ? "no planner has published a run on this bus" : "the bus does not answer";
      return answerError(call, 503, "RunsUnknown", `${why}: what runs did is not known here`);
    }
    const message =
      "no run with this id is open, and none of the newest: the ledger has older ones, meshroll describe run/ID";
    return answerError(call, 404, "NoRun", message);
  }

  return {
    method: "GET",
    path: "/v1/runs/{id}",
    handle(call: Call) {
      const id = readId(call);
      const found = runs.report(id);
      if (found === undefined) return answerUnknown(call);
      if (call.query.get("since") === found.stamp) return answerJson(200, { stamp: found.stamp, since: found.stamp });
      return pack(id, found)(call);
    },
  };
}
