import { printNamespaceParts } from "#libs/events";
import type { NamespaceRow, NamespaceTable } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { openApi, type Opened } from "./test-api.ts";

const row = (name: string, state: number): NamespaceRow => [name, 0, 50, 0, 0, state, 1, 0, [0]];

const table = (rows: readonly NamespaceRow[]): NamespaceTable => ({
  apiVersion: "meshroll.dev/v1",
  kind: "NamespaceTable",
  at: "2026-11-19T11:43:00.000Z",
  head: "a".repeat(40),
  revisions: ["old"],
  states: ["Failed", "OnTrack"],
  buckets: [{ bucket: "production", shares: [] }],
  clusters: [{ name: "east", revisions: [], mixed: 0 }],
  rows,
});

async function publish({ bus, clock }: Opened, stamp: string, rows: readonly NamespaceRow[]): Promise<void> {
  for (const [key, value] of printNamespaceParts(table(rows), stamp)) await bus.bucket("status").put(key, value);
  await clock.settle();
}

describe("the namespaces of the fleet", () => {
  it("are unknown until a planner published them", async () => {
    const { inject } = await openApi();
    const answer = await inject("/v1/namespaces");
    expect([answer.statusCode, answer.json()["error"]]).toEqual([503, "NamespacesUnknown"]);
  });

  it("are all of them, then only the changes since the reader's table", async () => {
    const opened = await openApi();
    await publish(opened, "1", [row("a", 0), row("b", 1)]);
    const whole = await opened.inject("/v1/namespaces");
    expect(whole.json()).toEqual({ ...table([row("a", 0), row("b", 1)]), stamp: "1" });
    await publish(opened, "2", [row("a", 1), row("c", 1)]);
    const { rows: _, ...rest } = table([]);
    const changed = { since: "1", changed: [row("a", 1), row("c", 1)], gone: ["b"] };
    expect((await opened.inject("/v1/namespaces?since=1")).json()).toEqual({ ...rest, stamp: "2", ...changed });
  });

  it.each(["0", "", "%00"])("are all of them for a reader whose table is not known any more (%s)", async (since) => {
    const opened = await openApi();
    await publish(opened, "1", [row("a", 0)]);
    expect((await opened.inject(`/v1/namespaces?since=${since}`)).json()["rows"]).toEqual([row("a", 0)]);
  });

  it("are compressed for a caller that accepts it, and plain for one that does not", async () => {
    const opened = await openApi();
    await publish(
      opened,
      "1",
      Array.from({ length: 200 }, (_, at) => row(`n${at}`, 1)),
    );
    const ask = async (accepted: string) =>
      opened.inject({ url: "/v1/namespaces", headers: { "accept-encoding": accepted } });
    expect((await ask("gzip;q=0, br")).headers["content-encoding"]).toBeUndefined();
    const packed = await fetch(`${opened.url}/v1/namespaces`);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(((await packed.json()) as { rows: unknown[] }).rows).toHaveLength(200);
  });
});

describe("the pulse", () => {
  it("comes with each turn for a reader that asked for it: the age of the status, the bus, the newest table", async () => {
    const opened = await openApi();
    await publish(opened, "7", [row("a", 0)]);
    const stop = new AbortController();
    const ran = opened.run();
    const read = async (path: string) => {
      const answer = await fetch(opened.url + path, { signal: stop.signal });
      const reader = answer.body?.getReader();
      return async () => Buffer.from((await reader?.read())?.value ?? []).toString();
    };
    const [next, nextPlain] = [await read("/v1/events?with=pulse"), await read("/v1/events")];
    let [text, plain] = [await next(), await nextPlain()];
    await opened.clock.advance(500);
    while (!text.includes("event: pulse")) text += await next();
    expect(text).toContain('data: {"bus":true,"namespaces":"7"}');
    await opened.bus.bucket("status").put("fleet", '{"kind":"FleetStatus","wroteAt":0}');
    await opened.clock.advance(500);
    while (!plain.includes("event: status")) plain += await nextPlain();
    expect(plain).not.toContain("event: pulse");
    stop.abort();
    void ran;
  });
});
