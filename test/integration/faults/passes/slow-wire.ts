import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Patches of workloads that the wire holds. */
export interface HeldPatches {
  /** Path of the first one. */
  readonly path: string;
  /** Forwards those whose client still waits, and all later ones at once. */
  release(): void;
  /** Answers 503 to those whose client still waits, without forwarding them; later ones are forwarded at once. */
  refuse(): void;
}

/** A proxy to an API server that can hold writes. */
export interface SlowWire {
  readonly url: string;
  /** Paths of all PATCHes of workloads that came in, held ones too, oldest first. */
  readonly patches: readonly string[];
  /** Resolves when the n-th PATCH of a workload is held; so is every later one until release or refusal. */
  holdPatches(nth: number): Promise<HeldPatches>;
  close(): Promise<void>;
}

function forward(target: URL, incoming: IncomingMessage, response: ServerResponse): void {
  const { method = "GET", url = "/", headers } = incoming;
  const { hostname, port } = target;
  const outgoing = request({ hostname, port, method, path: url, headers }, (answer) => {
    answer.on("error", () => response.destroy());
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    // A watch's headers must be sent before its first event.
    response.flushHeaders();
    answer.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}

function refuse(response: ServerResponse): void {
  const body = { kind: "Status", apiVersion: "v1", status: "Failure", message: "held, then refused", code: 503 };
  response.writeHead(503, { "content-type": "application/json" }).end(JSON.stringify(body));
}

interface Stuck {
  readonly path: string;
  readonly response: ServerResponse;
  readonly pass: () => void;
}

/** Starts a proxy that forwards to the API server at `target`. */
export async function startSlowWire(target: string): Promise<SlowWire> {
  const to = new URL(target);
  const patches: string[] = [];
  const stuck: Stuck[] = [];
  let awaited: { readonly from: number; readonly onHeld: (held: HeldPatches) => void } | undefined;

  function letGo(each: (one: Stuck) => void): void {
    awaited = undefined;
    // Its client may have given up meanwhile.
    for (const one of stuck.splice(0)) if (!one.response.destroyed) each(one);
  }

  const server = createServer((incoming, response) => {
    const { url: path = "/" } = incoming;
    const pass = () => forward(to, incoming, response);
    // A patch that only records an arrival moves nothing, so it is forwarded.
    const isRecord = path.includes("fieldManager=meshroll-record");
    const isPatch = incoming.method === "PATCH" && path.includes("/deployments/") && !isRecord;
    if (!isPatch) return pass();
    patches.push(path);
    if (awaited === undefined || patches.length < awaited.from) return pass();
    stuck.push({ path, response, pass });
    awaited.onHeld({
      path,
      release: () => letGo((one) => one.pass()),
      refuse: () => letGo((one) => refuse(one.response)),
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    patches,
    holdPatches: async (nth) =>
      new Promise((resolve) => {
        awaited = { from: nth, onHeld: resolve };
      }),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
