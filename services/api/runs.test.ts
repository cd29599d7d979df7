import { createHash } from "node:crypto";

import { nameRunKey, printRunReport } from "#libs/events";
import { describeReport, emptySeries, type RunReport } from "#libs/plan";
import { makeLedger, makeRun, sha } from "#test/world/build";
import { describe, expect, it } from "vitest";

import { openApi, type Opened } from "./test-api.ts";

const record = makeRun(sha("head"), sha("base"));

function makeReport(subject = "raise new"): RunReport {
  const at = "2026-11-19T11:43:00.000Z";
  return describeReport({ ...record, subject }, makeLedger(), emptySeries, { at });
}

async function publish({ bus, clock }: Opened, value: string, id = record.id): Promise<void> {
  await bus.bucket("status").put(nameRunKey(id), value);
  await clock.settle();
}

function stampOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

const first = printRunReport(makeReport());
const second = printRunReport(makeReport("raise it again"));

describe("a run", () => {
  it("is unknown until a planner published one", async () => {
    const answer = await (await openApi()).inject(`/v1/runs/${record.id}`);
    expect([answer.statusCode, answer.json()["error"]]).toEqual([503, "RunsUnknown"]);
  });

  it("is the report that the planner published, with a stamp", async () => {
    const opened = await openApi();
    await publish(opened, printRunReport(makeReport()));
    const answer = await opened.inject(`/v1/runs/${record.id}`);
    expect([answer.statusCode, answer.json()]).toEqual([200, { stamp: stampOf(first), ...makeReport() }]);
  });

  it("is only its stamp for a reader that has this report, and all of it for one that has an older one", async () => {
    const opened = await openApi();
    await publish(opened, printRunReport(makeReport()));
    const known = await opened.inject(`/v1/runs/${record.id}?since=${stampOf(first)}`);
    await publish(opened, printRunReport(makeReport("raise it again")));
    const newer = await opened.inject(`/v1/runs/${record.id}?since=${stampOf(first)}`);
    expect(known.json()).toEqual({ stamp: stampOf(first), since: stampOf(first) });
    expect(newer.json()).toEqual({ stamp: stampOf(second), ...makeReport("raise it again") });
  });

  it.each([
    { name: "without a report", path: "/v1/runs/0123456789ab" },
    { name: "that is no id", path: "/v1/runs/%00..%2f" },
    { name: "named as a part of every object", path: "/v1/runs/constructor" },
  ])("$name is not found, and the answer names the command that has it", async ({ path }) => {
    const opened = await openApi();
    await publish(opened, printRunReport(makeReport()));
    const answer = await opened.inject(path);
    expect([answer.statusCode, answer.json()["error"]]).toEqual([404, "NoRun"]);
    expect(answer.json()["message"]).toContain("meshroll describe run/ID");
  });

  it.each([
    { name: "no report", value: "{" },
    {
      name: "the report of another run",
      value: printRunReport({ ...makeReport(), record: { ...makeReport().record, id: "0123456789ab" } }),
    },
  ])("keeps its last report where its key has $name", async ({ value }) => {
    const opened = await openApi();
    await publish(opened, printRunReport(makeReport()));
    await publish(opened, value);
    expect((await opened.inject(`/v1/runs/${record.id}`)).json()).toEqual({ stamp: stampOf(first), ...makeReport() });
  });

  it("is compressed for a caller that accepts it", async () => {
    const opened = await openApi();
    await publish(opened, printRunReport(makeReport("long ".repeat(500))));
    const packed = await fetch(`${opened.url}/v1/runs/${record.id}`);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(((await packed.json()) as { record: { id: string } }).record.id).toBe(record.id);
  });

  it("is kept in bounded sizes: those that ended go first, the oldest first", async () => {
    const opened = await openApi();
    const idOf = (at: number) => at.toString(16).padStart(12, "0");
    const changes = Array.from({ length: 1000 }, () => ({
      pattern: "x".repeat(950),
      from: "",
      to: "",
      direction: "forward" as const,
    }));
    for (let at = 0; at < 90; at += 1) {
      const report = makeReport();
      const state = at < 2 ? ("open" as const) : ("done" as const);
      const text = printRunReport({ ...report, record: { ...report.record, id: idOf(at), state, changes } });
      await opened.bus.bucket("status").put(nameRunKey(idOf(at)), text);
    }
    await opened.clock.settle();
    const ask = async (at: number) => (await opened.inject(`/v1/runs/${idOf(at)}`)).statusCode;
    expect([await ask(0), await ask(2), await ask(89)]).toEqual([200, 404, 200]);
  });
});

it("the pulse has a stamp that changes with each written report", async () => {
  const opened = await openApi();
  await publish(opened, printRunReport(makeReport()));
  const stop = new AbortController();
  const ran = opened.run();
  const answer = await fetch(`${opened.url}/v1/events?with=pulse`, { signal: stop.signal });
  const reader = answer.body?.getReader();
  let text = "";
  const readUntil = async (wanted: string): Promise<void> => {
    await opened.clock.advance(500);
    while (!text.includes(wanted)) text += Buffer.from((await reader?.read())?.value ?? []).toString();
  };
  await readUntil(`"runs":"${stampOf(first)}"`);
  await publish(opened, printRunReport(makeReport("raise it again")));
  await readUntil(`"runs":"${stampOf(second)}"`);
  expect(text.indexOf(`"runs":"${stampOf(first)}"`)).toBeLessThan(text.indexOf(`"runs":"${stampOf(second)}"`));
  stop.abort();
  void ran;
});
