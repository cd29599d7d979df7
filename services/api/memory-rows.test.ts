import { request as startRequest } from "node:http";

import { createFakeBusServer, type FakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { makeEvent } from "#libs/events";
import { createLogger, createVitals } from "#libs/runtime";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { createApi } from "./service.ts";

const secret = "the-secret";
const log = createLogger("api", [], "silent");
const clock = createVirtualClock();

/**
 * An api as a process: it listens, the reader connects, then its loop begins: no moment is worse for a reader that goes on.
 * `kill` ends it and every connection.
 */
async function startApi(server: FakeBusServer, reader: ReturnType<typeof createReader>) {
  const stop = new AbortController();
  const bus = openFakeBus(server);
  const parts = { bus, clock, log, vitals: createVitals(clock), branch: "main", webhookSecrets: [secret] };
  const api = await createApi(parts, stop.signal);
  const url = await api.server.listen({ host: "127.0.0.1", port: 0 });
  await reader.connect(url);
  const ended = api.run();
  const kill = async (): Promise<void> => {
    stop.abort();
    await bus.close();
    await api.server.close();
    await ended;
  };
  onTestFinished(kill);
  return { kill };
}

/** A part of the stream in short: the id of a message, `gap`, or the state of the status. */
function readPart(part: string): { readonly id?: string; readonly said?: string } {
  const id = /^id: (.*)$/m.exec(part)?.[1];
  if (id !== undefined) return { id, said: id.slice("stop.v1.resumed/".length) };
  const state = /"state":"(\w+)"/.exec(part)?.[1];
  if (state !== undefined) return { said: `status ${state}` };
  return part.includes("event: gap") ? { said: "gap" } : {};
}

/** A reader of `/v1/events` that reconnects with the last id that it saw, as EventSource does. */
function createReader() {
  const seen: string[] = [];
  let lastId: string | undefined;

  function take(text: string): void {
    for (const { id, said } of text.split("\n\n").map(readPart)) {
      lastId = id ?? lastId;
      // A status that did not change is left out.
      const isKnown = said?.startsWith("status ") === true && said === seen.at(-1);
      if (said !== undefined && !isKnown) seen.push(said);
    }
  }

  return {
    /** The whole text. */
    seen,
    async connect(url: string): Promise<void> {
      const headers = lastId === undefined ? {} : { "last-event-id": lastId };
      const opened = Promise.withResolvers<void>();
      const request = startRequest(`${url}/v1/events`, { headers, agent: false }, (response) => {
        response.setEncoding("utf8").on("error", () => undefined);
        response.on("data", (text: string) => {
          take(text);
          opened.resolve();
        });
      });
      request.on("error", () => undefined);
      request.end();
      await opened.promise;
    },
  };
}

interface Play {
  readonly server: FakeBusServer;
  readonly reader: ReturnType<typeof createReader>;
  /** Does nothing in the undisturbed run. */
  readonly kill: () => Promise<void>;
  /** The process after a kill, to which the reader reconnects. */
  readonly startAgain: () => Promise<void>;
}

interface ApiRow {
  readonly value: string;
  readonly play: (play: Play) => Promise<void>;
  readonly want: readonly string[];
}

async function tell(server: FakeBusServer, id: string): Promise<void> {
  const event = makeEvent("stopResumed", id, 0, { stops: [id], scopes: ["all"], who: "ana", why: "" });
  await openFakeBus(server).publish("meshroll.v1.stop.v1.resumed", JSON.stringify(event));
}

async function show(server: FakeBusServer, state: string): Promise<void> {
  const status = { apiVersion: "meshroll.dev/v1", kind: "FleetStatus", at: "x", wroteAt: Date.now(), state };
  await openFakeBus(server).bucket("status").put("fleet", JSON.stringify(status));
}

async function untilSeen({ reader }: Play, id: string): Promise<void> {
  await vi.waitFor(
    async () => {
      await clock.advance(500);
      expect(reader.seen).toContain(id);
    },
    { timeout: 60_000, interval: 5 },
  );
}

const rows: readonly ApiRow[] = [
  {
    value: "the events that readers may request again",
    async play(play) {
      await tell(play.server, "first");
      await tell(play.server, "second");
      await untilSeen(play, "second");
      await play.kill();
      await tell(play.server, "third");
      await play.startAgain();
      await tell(play.server, "fourth");
      await untilSeen(play, "fourth");
    },
    want: ["first", "second", "third", "fourth"],
  },
  {
    value: "readers, and answers that they have not taken",
    async play(play) {
      await tell(play.server, "first");
      await untilSeen(play, "first");
      // Published, and on its way to the reader when the process dies.
      await tell(play.server, "second");
      await play.kill();
      await play.startAgain();
      await untilSeen(play, "second");
    },
    want: ["first", "second"],
  },
  {
    value: "the status as published last",
    async play(play) {
      await show(play.server, "Idle");
      await untilSeen(play, "status Idle");
      await play.kill();
      await show(play.server, "InProgress");
      await play.startAgain();
      await untilSeen(play, "status InProgress");
    },
    want: ["status Idle", "status InProgress"],
  },
];

async function playRow(row: ApiRow, isDisturbed: boolean): Promise<readonly string[]> {
  const server = createFakeBusServer();
  await tell(server, "long before");
  const reader = createReader();
  let api = await startApi(server, reader);
  await clock.advance(1000);
  await row.play({
    server,
    reader,
    kill: async () => (isDisturbed ? api.kill() : undefined),
    async startAgain() {
      if (!isDisturbed) return;
      api = await startApi(server, reader);
    },
  });
  return reader.seen;
}

describe("a restart of the api changes nothing for readers", () => {
  it.each(rows)("$value: a reader is notified the same as undisturbed, each once", async (row) => {
    expect(await playRow(row, false)).toEqual(row.want);
    expect(await playRow(row, true)).toEqual(row.want);
  });
});
