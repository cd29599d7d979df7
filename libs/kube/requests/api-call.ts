import { cleanText, RedactedError } from "#libs/runtime";

/** Default limit for a time without any byte of the answer, real ms. */
export const ANSWER_MS = 30_000;

/** The whole answer must arrive within that time multiplied by this. */
export const PATIENCE = 2;

/** A page of 500 pods is about 5 MB, a list of 10,000 proxies 15 MB. */
export const LIST_BYTES = 32 * 1024 * 1024;

/** No object of the API is larger. */
export const OBJECT_BYTES = 8 * 1024 * 1024;

/** One request to an API server. */
export interface ApiCall {
  readonly method: "GET" | "PATCH" | "POST";
  /** Path and query. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: unknown;
  /** Given up after so many real ms without a byte; default 30 s. */
  readonly timeoutMs?: number;
  /** A longer answer, unpacked, is cut off; default 8 MiB. */
  readonly mostBytes?: number;
  /** An Event. No decision depends on it: it does not use the rate of writes, and a 429 for it delays no write. */
  readonly isEvent?: true;
  /** Reads why a move failed. No decision depends on it: it uses the rate of lists, and a 429 for it delays no write. */
  readonly isCause?: true;
  /**
   * The API server passes the request on to another server (proxy, webhook): a 401 may come from there and needs no new
   * credentials, and a 429 delays no write.
   */
  readonly isPassedOn?: true;
}

export interface ApiAnswer {
  readonly status: number;
  /** Parsed JSON, or the text when it is none. */
  readonly body: unknown;
  /** At most two minutes, so that a proxy that asks for a day does not delay a rollback by a day. */
  readonly retryAfterMs?: number;
}

/** Rejects with ServerUnreachable when no whole answer came. */
export type Send = (call: ApiCall) => Promise<ApiAnswer>;

/** The answer did not arrive: whether the request was carried out is not known. */
export class ServerUnreachable extends RedactedError {
  override readonly name = "ServerUnreachable";
  /** How to correct the kubeconfig, where that is the cause. */
  readonly fix: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly fix?: string | undefined } = {}) {
    super(message, options);
    this.fix = options.fix;
  }
}

/** The connection is open, but no byte arrived for too long. */
export class ServerSilent extends Error {
  override readonly name = "ServerSilent";
}

/** A webhook's refusal may have any length; longer messages are cut. */
const longestMessage = 500;

/** The API server's message: `message` of a Status, or the text, as one line. */
export function readMessage({ status, body }: ApiAnswer): string {
  const message = (body as { readonly message?: unknown } | null | undefined)?.message;
  const said = typeof message === "string" ? message : typeof body === "string" ? body : "";
  const text = cleanText(said, longestMessage);
  return text === "" ? `the API server answered ${status}` : text;
}
