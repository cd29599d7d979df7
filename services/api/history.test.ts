import { type LedgerEnd, type LedgerLine, listChunks, printChunk, printHistoryHead } from "#libs/events";
import { describe, expect, it } from "vitest";

import { openApi, type Opened } from "./test-api.ts";

const run = "run/4c8b717cd4df";

function makeLine(at: number): LedgerLine {
  const isVerb = at % 10 === 9;
  return {
    commit: String(at).padStart(40, "0"),
    at: new Date(Date.UTC(2026, 10, 19, 0, at)).toISOString(),
    clock: "planner",
    sentence: isVerb ? `stop s${at} on all: an Incident (Ana)` : `run 4c8b717cd4df: wave ${at} opened`,
    about: isVerb ? ["all"] : [run, "campaign/c"],
    actor: isVerb ? "Ana" : "meshroll",
    cause: isVerb ? "StopPlaced" : "WaveOpened",
  };
}

function makeEnd(total: number): LedgerEnd {
  const lines = Array.from({ length: total }, (_, at) => makeLine(at));
  return { head: lines.at(-1)?.commit ?? "", total, lines };
}

async function publish({ bus, clock }: Opened, total: number): Promise<void> {
  const [end, bucket] = [makeEnd(total), bus.bucket("status")];
  const chunks = listChunks(end);
  for (const chunk of chunks) await bucket.put(chunk.key, printChunk(chunk));
  const tips = chunks.map(({ tip }) => tip);
  await bucket.put("history.head", printHistoryHead(end, tips));
  await clock.settle();
}

interface Printed {
  readonly entries: readonly LedgerLine[];
  readonly older: number;
  readonly isCut: boolean;
  readonly stamp: string;
}

async function read({ inject }: Opened, query: string): Promise<Printed> {
  return (await inject(`/v1/history${query}`)).json() as unknown as Printed;
}

describe("the history", () => {
  it("is unknown until a planner published it", async () => {
    const answer = await (await openApi()).inject("/v1/history");
    expect([answer.statusCode, answer.json()["error"]]).toEqual([503, "HistoryUnknown"]);
  });

  it("is what meshroll history prints as JSON, newest first, with the ledger's commit", async () => {
    const opened = await openApi();
    await publish(opened, 120);
    const { entries, ...rest } = await read(opened, "");
    expect(rest).toEqual({
      apiVersion: "meshroll.dev/v1",
      kind: "History",
      stamp: makeLine(119).commit,
      older: 20,
      isCut: false,
    });
    expect([entries.length, entries[0], entries.at(-1)]).toEqual([100, makeLine(119), makeLine(20)]);
  });

  it("is the newest one after each transition", async () => {
    const opened = await openApi();
    await publish(opened, 3);
    expect((await read(opened, "?limit=1")).entries).toEqual([makeLine(2)]);
    await publish(opened, 4);
    expect((await read(opened, "?limit=1")).entries).toEqual([makeLine(3)]);
  });

  it.each([
    { query: `?subject=${run}&limit=2`, want: [28, 27] },
    { query: "?subject=all", want: [29, 19, 9] },
    { query: "?subject=campaign/other", want: [] },
    { query: "?actor=ana&limit=1", want: [29] },
    { query: "?q=an%20incident%20(ana)", want: [29, 19, 9] },
    { query: "?since=2026-11-19T00:27:00Z", want: [29, 28, 27] },
    { query: "?since=2026-11-20", want: [] },
    { query: "?until=2026-11-19T00:01:00Z", want: [1, 0] },
    { query: "?actor=&subject=&q=&since=&limit=1", want: [29] },
    { query: "?unknown=1&limit=1", want: [29] },
  ])("has a filter: $query", async ({ query, want }) => {
    const opened = await openApi();
    await publish(opened, 30);
    expect((await read(opened, query)).entries.map(({ commit }) => Number(commit))).toEqual(want);
  });

  it.each([
    { query: "?limit=0", says: "limit must be a number from 1 to 1000" },
    { query: "?limit=1001", says: "limit" },
    { query: "?limit=1e3", says: "limit" },
    { query: "?since=yesterday", says: "since must be a time as" },
    { query: "?until=2026-13-01", says: "until must be a time as" },
    { query: "?subject=nothing", says: "subject must be run/ID" },
    { query: "?subject=run/../..", says: "subject" },
    { query: `?actor=${"n".repeat(253)}`, says: "actor may have 200 characters at most" },
    { query: `?q=${"n".repeat(253)}`, says: "q may have" },
  ])("refuses what it cannot read, and says what is right: $query", async ({ query, says }) => {
    const opened = await openApi();
    await publish(opened, 3);
    const answer = await opened.inject(`/v1/history${query}`);
    expect([answer.statusCode, answer.json()["error"]]).toEqual([400, "BadRequest"]);
    expect(answer.json()["message"]).toContain(says);
  });

  it("is compressed for a caller that accepts it", async () => {
    const opened = await openApi();
    await publish(opened, 100);
    const answer = await fetch(`${opened.url}/v1/history`);
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(((await answer.json()) as Printed).entries).toHaveLength(100);
  });

  it("survives a wiped bus, and its newest commit is in the pulse", async () => {
    const opened = await openApi();
    await publish(opened, 3);
    opened.busServer.wipe();
    await opened.clock.settle();
    expect((await read(opened, "")).entries).toHaveLength(3);
    const stop = new AbortController();
    const ran = opened.run();
    const stream = await fetch(`${opened.url}/v1/events?with=pulse`, { signal: stop.signal });
    const reader = stream.body?.getReader();
    await opened.clock.advance(500);
    let text = "";
    while (!text.includes("event: pulse")) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(text).toContain(`"history":"${makeLine(2).commit}"`);
    stop.abort();
    void ran;
  });
});
