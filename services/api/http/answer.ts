import type { IncomingMessage, ServerResponse } from "node:http";

import { redactSecrets } from "#libs/runtime";

/** One request, as a route sees it. */
export interface Call {
  /** The caller's request id where it has the form of one, else ours. */
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The query of the URL. */
  readonly query: URLSearchParams;
  /** Whole body, at most 5 MiB or `mostBytes`. Throws `BodyRefused`. */
  readBody(mostBytes?: number): Promise<Buffer>;
}

/** What a route answers. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: "GET" | "POST";
  /** Matched as a whole; `{…}` stands for one part of the path. It is also the label in metrics. */
  readonly path: string;
  /** Its callers authenticate themselves, so it answers under any host name. */
  readonly isSigned?: true;
  /** `streaming`: the route writes the response itself, until the reader disconnects. */
  handle(call: Call): Promise<Answer | "streaming"> | Answer | "streaming";
}

/** The body of every unsuccessful answer. */
interface ErrorBody {
  /** One word, for programs. */
  readonly error: string;
  readonly message: string;
  readonly requestId: string;
}

const json = "application/json; charset=utf-8";

/** An answer of JSON; a text is taken as JSON already printed. */
export function answerJson(status: number, body: object | string, headers?: Readonly<Record<string, string>>): Answer {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, type: json, body: text, ...(headers === undefined ? {} : { headers }) };
}

/** An unsuccessful answer; `message` is for people and contains nothing of the request. */
export function answerError(
  { id }: Pick<Call, "id">,
  status: number,
  error: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const body: ErrorBody = { error, message: redactSecrets(message), requestId: id };
  return answerJson(status, body, headers);
}
