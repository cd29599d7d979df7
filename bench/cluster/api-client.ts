import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { createInterface } from "node:readline";

import type { OwnCluster } from "../../test/cluster/bed/start-cluster.ts";

/** One line of a watch. */
export interface WatchEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: T;
}

interface ObjectList<T> {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly T[];
}

/** An administrator's client of one API server, over a few kept connections. */
export class ApiClient {
  readonly #agent: Agent;
  readonly #server: URL;

  constructor({ certificates, server }: Pick<OwnCluster, "certificates" | "server">) {
    const { cert, key } = certificates.of("admin");
    const login = { ca: readFileSync(certificates.authority), cert: readFileSync(cert), key: readFileSync(key) };
    this.#agent = new Agent({ keepAlive: true, maxSockets: 32, ...login });
    this.#server = new URL(server);
  }

  async #send(method: string, path: string, body?: object, signal?: AbortSignal): Promise<IncomingMessage> {
    const { hostname, port } = this.#server;
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = body === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(text) };
    const ends = signal === undefined ? {} : { signal };
    const call = request({ hostname, port, path, method, agent: this.#agent, headers, ...ends });
    call.end(text);
    const [answer] = (await once(call, "response")) as [IncomingMessage];
    return answer;
  }

  /** Returns the answer. Throws with the server's words where it refuses; `gone` is returned for an object that is not there. */
  async call<T>(method: "GET" | "PATCH" | "DELETE", path: string, body?: object): Promise<T | "gone"> {
    const answer = await this.#send(method, path, body);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (answer.statusCode === 404) return "gone";
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text) as T;
  }

  async list<T>(path: string): Promise<ObjectList<T>> {
    const list = await this.call<ObjectList<T>>("GET", path);
    if (list === "gone") throw new Error(`GET ${path}: nothing is served there`);
    return list;
  }

  /**
   * Lists what there is, as `ADDED`, and follows every change. The first promise resolves with the end of the list; the signal
   * ends the watch.
   */
  async watch<T>(path: string, onEvent: (event: WatchEvent<T>) => void, signal: AbortSignal): Promise<void> {
    const { metadata, items } = await this.list<T>(path);
    for (const object of items) onEvent({ type: "ADDED", object });
    const from = `${path}${path.includes("?") ? "&" : "?"}watch=1&resourceVersion=${metadata.resourceVersion}`;
    const answer = await this.#send("GET", from, undefined, signal);
    answer.on("error", () => undefined);
    const lines = createInterface({ input: answer });
    lines.on("error", () => undefined);
    lines.on("line", (line) => onEvent(JSON.parse(line) as WatchEvent<T>));
  }

  end(): void {
    this.#agent.destroy();
  }
}
