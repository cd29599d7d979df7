import { answerError, answerJson, type Route } from "../http/answer.ts";
import { answerPast } from "./pictures.ts";
import type { ServerParts } from "./server-parts.ts";

/** The planner writes every 5 s: an older status than this may no longer be true, real seconds. */
const freshSeconds = 30;

function explain(age: number, isBusConnected: boolean): string {
  const silent = `the planner has written no status for ${Math.round(age)} s`;
  if (!isBusConnected) return `${silent}, and the bus does not answer: bring NATS back`;
  return `${silent}: nothing new starts; look after the planner's process`;
}

/**
 * `/v1/status`: the object that the planner published, with its age in the header `Age`. 503 when there is none, or when it is
 * older than 30 s; the last one is then part of the answer, for people. With `?at=` the status of an earlier picture.
 */
export function createStatusRoute(parts: ServerParts): Route {
  const { status, isBusConnected } = parts;
  return {
    method: "GET",
    path: "/v1/status",
    async handle(call) {
      const past = await answerPast(parts, call, (picture) => picture.status);
      if (past !== undefined) return past;
      const text = status.text();
      if (text === undefined) {
        const why = isBusConnected() ? "no planner has published a status on this bus" : "the bus does not answer";
        return answerError(call, 503, "StatusUnknown", `${why}: what the fleet does is not known here`);
      }
      const age = status.ageSeconds();
      const headers = { age: String(Math.floor(age)) };
      if (age <= freshSeconds) return answerJson(200, text, headers);
      const message = explain(age, isBusConnected());
      const last: unknown = JSON.parse(text);
      return answerJson(503, { error: "StatusStale", message, requestId: call.id, ageSeconds: age, last }, headers);
    },
  };
}
