import { collectBytes } from "#libs/runtime";

import type { Prometheus, QueryAnswer } from "./port.ts";
import { cutText, readAnswer } from "./read-answer.ts";

export interface PrometheusOptions {
  /** Base address, such as `http://prometheus:9090` or `https://mimir.example.com/prometheus`. */
  readonly url: string;
  /** Bearer token. */
  readonly token?: string;
  /** For one query, its whole answer included, real ms; default 10,000. */
  readonly timeoutMs?: number;
}

/** One number takes less than a kilobyte; a label may be long. */
const mostBytes = 1024 * 1024;

/** What `fetch` says hides the cause one level down. */
function explain(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return "the request failed";
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause.message : error.message;
  return cutText(cause === "" ? error.message : cause);
}

async function ask(address: URL, token: string | undefined, timeoutMs: number, body: string): Promise<QueryAnswer> {
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  const response = await fetch(address, {
    // A query that names thousands of namespaces is longer than any address may be.
    method: "POST",
    headers: token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` },
    body,
    // The token goes only to the server that was named.
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const why = `it redirects (${response.status}), and redirects are not followed: set the address that it names`;
    return { kind: "unavailable", why };
  }
  const bytes = await collectBytes(response.body, mostBytes);
  return readAnswer(response.status, bytes.toString("utf8"));
}

/** Speaks Prometheus' HTTP API. Sends nothing before the first query. */
export function openPrometheus({ url, token, timeoutMs = 10_000 }: PrometheusOptions): Prometheus {
  const base = url.endsWith("/") ? url : `${url}/`;
  const address = new URL("api/v1/query", base);
  return {
    async query(promql, at) {
      const body = new URLSearchParams({ query: promql, time: (at / 1000).toFixed(3) }).toString();
      try {
        return await ask(address, token, timeoutMs, body);
      } catch (error) {
        return { kind: "unavailable", why: explain(error, timeoutMs) };
      }
    },
  };
}
