import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGzip, gzipSync } from "node:zlib";

import { systemClock } from "#libs/runtime";
import { describe, expect, it, onTestFinished } from "vitest";

import { ServerUnreachable } from "../requests/api-call.ts";
import type { ApiObject } from "../api-types.ts";
import { createCollection } from "../store/collection.ts";
import { connect, type Connection } from "../requests/connection.ts";
import { listPages } from "../watch/list-pages.ts";
import { openCluster } from "./open-cluster.ts";
import type { ReflectorFault } from "../watch/reflector-fault.ts";

type Respond = (response: ServerResponse, path: string) => void;

/** A kubeconfig with another server in place of the API server. */
async function serve(respond: Respond): Promise<{ readonly text: string }> {
  const server = createServer((request, response) => respond(response, request.url ?? ""));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cluster = { server: address, "insecure-skip-tls-verify": true };
  const text = JSON.stringify({
    clusters: [{ name: "c", cluster }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    users: [{ name: "u", user: {} }],
    "current-context": "c",
  });
  return { text };
}

const deaf = { onBytes: () => undefined, onDate: () => undefined };
const json = { "content-type": "application/json" };
const mebibyte = Buffer.alloc(1024 * 1024, 0x20);

/** Writes mebibytes of spaces for as long as they are read. */
function writeForEver(sink: NodeJS.WritableStream): void {
  const more = (): void =>
    void (sink.writable && (sink.write(mebibyte) ? setImmediate(more) : sink.once("drain", more)));
  sink.on("error", () => undefined);
  more();
}

const bodies: readonly { readonly name: string; readonly respond: Respond }[] = [
  {
    name: "has no end",
    respond: (response) => writeForEver(response.writeHead(200, json)),
  },
  {
    name: "is a refusal without an end",
    respond: (response) => writeForEver(response.writeHead(403, json)),
  },
  {
    name: "is a gzip bomb",
    respond: (response) => {
      response.writeHead(200, { ...json, "content-encoding": "gzip" });
      const packed = createGzip();
      packed.pipe(response);
      writeForEver(packed);
    },
  },
  {
    name: "is a small gzip bomb",
    respond: (response) => {
      response.writeHead(200, { ...json, "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(40 * 1024 * 1024, 0x20)));
    },
  },
];

describe("an answer of an API server, or of a pod behind it, ends by its size when it", () => {
  it.each(bodies)("$name", async ({ respond }) => {
    const connection = await connect(await serve(respond), deaf);
    const error: unknown = await connection.send({ method: "GET", path: "/x" }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServerUnreachable);
    expect(String(error)).toMatch(/its answer is longer than \d+ MiB/);
  });
});

it("an answer that trickles for longer than its time is given up, though it is never idle", async () => {
  const kubeconfig = await serve((response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(" "), 5);
    response.once("close", () => clearInterval(timer));
  });
  const connection = await connect(kubeconfig, deaf);
  const sent = connection.send({ method: "GET", path: "/x", timeoutMs: 500 });
  await expect(sent).rejects.toThrow("no whole answer within 1000 ms");
});

/** The problems of a cluster whose Deployments are listed and watched in this way; all other collections are empty. */
async function look(respond: (response: ServerResponse, isWatch: boolean, path: string) => void) {
  const kubeconfig = await serve((response, path) => {
    const isWatch = path.includes("watch=true");
    if (path.includes("/deployments?")) return respond(response, isWatch, path);
    response.writeHead(200, json);
    if (!isWatch) response.end(JSON.stringify({ metadata: { resourceVersion: "5" }, items: [] }));
  });
  const faults: ReflectorFault[] = [];
  const timing = { firstRetryMs: 1, longestRetryMs: 5, relistMs: 1 };
  const onFault = (fault: ReflectorFault): void => void faults.push(fault);
  const cluster = openCluster({ name: "east", kubeconfig, clock: systemClock(), timing, onFault, rates: fast });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const started = cluster.start(() => undefined, stop.signal);
  started.catch(() => undefined);
  return { cluster, faults, started };
}

const fast = { lists: { perSecond: 1e6, burst: 1e6 } };
const page = (items: unknown, more?: string) =>
  JSON.stringify({ metadata: { resourceVersion: "5", ...(more === undefined ? {} : { continue: more }) }, items });
const deployment = (index: number, extra = "") => ({
  metadata: { name: `d${index}`, namespace: "shop", uid: `u${index}`, resourceVersion: "5", annotations: { extra } },
});

it("a list that never ends with new objects is a named fault, and is not tried again in smaller pages", async () => {
  let count = 0;
  const send = async () => {
    count += 1;
    const items = Array.from({ length: 50_000 }, (_, index) => ({ metadata: { name: `${count}-${index}` } }));
    return { status: 200, body: { metadata: { continue: String(count) }, items } };
  };
  const connection = { send } as unknown as Connection;
  const keyOf = ({ metadata }: ApiObject): string => metadata?.name ?? "";
  const sink = createCollection({ keyOf, project: () => 1, changed: () => undefined });
  const resource = { name: "pods", path: "/pods", optional: false, rbac: "" } as const;
  const result = await listPages(connection, resource, sink, new AbortController().signal);
  expect(result).toEqual({ fault: { resource: "pods", kind: "tooMany", why: "there are more than 500000 objects" } });
  expect(count).toBe(11);
});

describe("a list that an API server answers is a named fault, and its process lives, when it", () => {
  const cases = [
    { name: "is null", text: "null" },
    { name: "has a text in place of its objects", text: page("abc") },
    { name: "has null among its objects", text: page([null]) },
    {
      name: "has a number for a name",
      text: page([{ metadata: { name: 7, namespace: {}, labels: 5, annotations: 1 } }]),
    },
    { name: "has a list in place of an object's parts", text: page([{ metadata: [], spec: 5, status: "x" }]) },
    { name: "names the same next page for ever", text: page([], "again") },
  ];
  it.each(cases)("$name", async ({ text }) => {
    const { cluster, faults } = await look((response) => {
      response.writeHead(200, json).end(text);
    });
    await expect.poll(() => faults.length, { timeout: 25_000 }).toBeGreaterThan(3);
    expect(faults.every(({ resource }) => resource === "deployments")).toBe(true);
    await expect.poll(() => cluster.problems().join()).toMatch(/^cannot read deployments \(badObject: .*nothing moves/);
  });
});

it("a page that is too large is requested in smaller ones, and the cluster is read", async () => {
  const limits: string[] = [];
  const wide = "x".repeat(200_000);
  const { cluster, started } = await look((response, isWatch, path) => {
    response.writeHead(200, json);
    if (isWatch) return;
    const query = new URLSearchParams(path.replace(/^[^?]*/, ""));
    const [limit, from] = [Number(query.get("limit")), Number(query.get("continue") ?? 0)];
    limits.push(String(limit));
    const left = Array.from({ length: Math.min(limit, 300 - from) }, (_, index) => deployment(from + index, wide));
    response.end(page(left, from + limit < 300 ? String(from + limit) : undefined));
  });
  await started;
  expect(new Set(limits)).toEqual(new Set(["500", "50"]));
  expect(cluster.problems()).toEqual([]);
});

it("a watch whose line has no end is a named fault", async () => {
  const { faults } = await look((response, isWatch) => {
    response.writeHead(200, json);
    if (isWatch) writeForEver(response);
    else response.end(page([]));
  });
  await expect.poll(() => faults[0]?.kind, { timeout: 25_000 }).toBe("tooLarge");
  expect(faults[0]?.why).toMatch(/a line of the watch is longer than \d+ MiB/);
});
