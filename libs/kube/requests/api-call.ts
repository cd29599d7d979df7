import { cleanText, RedactedError } from "#libs/runtime";

/** A request that gets no byte for so long is given up, unless it says otherwise; real ms. */
export const ANSWER_MS = 30_000;

/** The whole answer must be here after so many times that; real ms. */
export const PATIENCE = 2;

/** A page of 500 pods is about 5 MB, a list of 10,000 proxies 15 MB. */
export const LIST_BYTES = 32 * 1024 * 1024;

/** No object of the API is larger. */
export const OBJECT_BYTES = 8 * 1024 * 1024;

/** One request to an API server. */
export interface ApiCall {
  readonly method: "GET" | "PATCH" | "POST";
  /** With its query. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: unknown;
  /** Given up after so many real ms without a byte; default 30 s. */
  readonly timeoutMs?: number;
  /** A longer answer, unpacked, is given up; default 8 MiB. */
  readonly mostBytes?: number;
  /** An Event: nothing depends on it, so it takes no place of a write, and a 429 of it keeps no write waiting. */
  readonly isEvent?: true;
  /** The API server asks another server for us: a 401 may be theirs, and no reason to fetch fresh credentials. */
  readonly isPassedOn?: true;
}

export interface ApiAnswer {
  readonly status: number;
  /** Parsed JSON, or the text when it is none. */
  readonly body: unknown;
  /** At most two minutes: no server needs longer to recover, and a proxy that says a day would keep a rollback away for a day. */
  readonly retryAfterMs?: number;
}

/** Rejects with ServerUnreachable when no whole answer came. */
export type Send = (call: ApiCall) => Promise<ApiAnswer>;

/** Nothing is known of the request, not even whether it arrived: look again, later. */
export class ServerUnreachable extends RedactedError {
  override readonly name = "ServerUnreachable";
  /** What people change in the kubeconfig, where that is what is wrong. */
  readonly fix: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly fix?: string | undefined } = {}) {
    super(message, options);
    this.fix = options.fix;
  }
}

/** A connection that is open, and over which no byte came for too long. */
export class ServerSilent extends Error {
  override readonly name = "ServerSilent";
}

/** A refusal of an admission webhook or of a pod that was asked may have any length. */
const longestMessage = 500;

/** The API server's own words: `message` of a Status, or the text, as one line. */
export function readMessage({ status, body }: ApiAnswer): string {
  const message = (body as { readonly message?: unknown } | null | undefined)?.message;
  const said = typeof message === "string" ? message : typeof body === "string" ? body : "";
  const text = cleanText(said, longestMessage);
  return text === "" ? `the API server answered ${status}` : text;
}
