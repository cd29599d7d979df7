import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestByTls } from "node:https";

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** A connection of its own: one that is kept may lead to a process that another has taken over from. */
  readonly fresh?: true;
}

/**
 * Sends a GET and answers the head of the response, whose body is then read or destroyed. Redirects are not followed. Unlike
 * `fetch` it loads no parser in WebAssembly, which takes a third of the memory of a small process.
 */
export async function askUrl(url: URL, { headers = {}, signal, fresh }: AskOptions): Promise<IncomingMessage> {
  const send = url.protocol === "https:" ? requestByTls : requestPlain;
  return new Promise((resolve, reject) => {
    send(url, { headers, signal, ...(fresh === true ? { agent: false } : {}) }, resolve)
      .on("error", reject)
      .end();
  });
}
