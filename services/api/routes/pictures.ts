import { BusRefused, BusUnavailable } from "#libs/bus";

import { type Answer, answerError, answerJson, type Call, type Route } from "../http/answer.ts";
import { type Packed, packAnswer, takesGzip } from "../http/pack-answer.ts";
import type { FoundPicture, PackedPart } from "../status/follow-pictures.ts";
import type { ServerParts } from "./server-parts.ts";

function printTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** `/v1/pictures`: the moments of which a picture is kept, the oldest first. */
export function createPicturesRoute(parts: ServerParts): Route {
  let times: readonly number[] | undefined;
  let made: Packed | undefined;
  return {
    method: "GET",
    path: "/v1/pictures",
    handle(call) {
      const known = parts.pictures.times();
      if (known === undefined || !parts.isBusConnected()) return answerAway(parts, call);
      if (made === undefined || times !== known) {
        times = known;
        made = packAnswer(
          answerJson(200, { apiVersion: "meshroll.dev/v1", kind: "Pictures", times: known.map(printTime) }),
        );
      }
      return made(call);
    },
  };
}

function answerAway({ isBusConnected, findObstacle }: ServerParts, call: Call): Answer {
  const unknown = isBusConnected()
    ? "the pictures of earlier times are not read from the bus yet: try again in a few seconds"
    : "the bus does not answer, and pictures of earlier times are on it: bring NATS back";
  return answerError(call, 503, "PicturesUnknown", findObstacle() ?? unknown);
}

/** The moment of `?at=`, epoch ms; undefined for anything but ISO text with a zone. */
function readTime(text: string): number | undefined {
  const isOne = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = isOne ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function answerPart(call: Call, { text, packed }: PackedPart): Answer {
  const answer = answerJson(200, text, { vary: "accept-encoding" });
  if (!takesGzip(call)) return answer;
  return { ...answer, body: packed, headers: { ...answer.headers, "content-encoding": "gzip" } };
}

/** Which part of a picture a route answers with. */
type Choose = (picture: FoundPicture) => PackedPart | undefined;

/** The answer with the picture of `?at=`; undefined where the caller asks for the present. */
export async function answerPast(parts: ServerParts, call: Call, choose: Choose): Promise<Answer | undefined> {
  const given = call.query.get("at");
  if (given === null) return undefined;
  const at = readTime(given);
  if (at === undefined) {
    return answerError(call, 400, "BadTime", "at must be a time with its zone, such as 2026-11-19T12:00:00Z");
  }
  if (parts.pictures.times() === undefined || !parts.isBusConnected()) return answerAway(parts, call);
  try {
    return answerFound(parts, call, await parts.pictures.find(at), choose);
  } catch (error) {
    if (!(error instanceof BusUnavailable || error instanceof BusRefused)) throw error;
    parts.log.warn({ error, requestId: call.id }, "a picture could not be read from the bus");
    return answerAway(parts, call);
  }
}

function answerFound({ pictures }: ServerParts, call: Call, picture: FoundPicture | undefined, choose: Choose): Answer {
  if (picture === undefined) {
    const oldest = pictures.times()?.[0];
    const kept = oldest === undefined ? "none is kept" : `the oldest is of ${printTime(oldest)}`;
    const message = `no picture of that time is kept: ${kept}; meshroll history has every decision`;
    return answerError(call, 404, "NoPicture", message);
  }
  const part = choose(picture);
  if (part !== undefined) return answerPart(call, part);
  return answerError(
    call,
    404,
    "NoTable",
    "the picture of that time has no table of namespaces: it was too large, or not known",
  );
}
