import { gunzipSync } from "node:zlib";

import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { printPictureIndex, readPicture, readPictureIndex, type StampedTable } from "#libs/events";
import { expect, it } from "vitest";

import { createPictureStore, type PublishedStatus } from "./keep-pictures.ts";

const noon = Date.parse("2026-11-19T12:00:00.400Z");

const table: StampedTable = {
  apiVersion: "meshroll.dev/v1",
  kind: "NamespaceTable",
  stamp: "1",
  at: "2026-11-19T11:59:59.000Z",
  head: "a".repeat(40),
  revisions: ["old"],
  states: ["OnTrack"],
  buckets: [],
  clusters: [],
  rows: [["shop", 0, null, 0, 0, 0, 1, 0, []]],
};

function open() {
  const server = createFakeBusServer();
  const bus = openFakeBus(server);
  const bucket = bus.bucket("status");
  const clock = createVirtualClock();
  const warnings: string[] = [];
  const log = { warn: (...said: readonly unknown[]) => void warnings.push(String(said.at(-1))) };
  const full = { now: false };
  const leading = { now: true };
  const restart = () => createPictureStore({ bucket, clock, log, isFull: () => full.now, leads: () => leading.now });
  const store = restart();
  const times = async () => readPictureIndex((await bucket.get("pictures.index"))?.value ?? "");
  const show = async (seconds: number, change: Partial<PublishedStatus> = {}, at = store): Promise<void> => {
    const text = JSON.stringify({ seconds });
    at.noteStatus({ text, news: text, at: noon + seconds * 1000, sequence: seconds, ...change });
    await at.keep();
  };
  return { server, bucket, clock, full, leading, warnings, store, restart, times, show };
}

const first = Math.floor(noon / 1000);

it("a picture is the status and the table that were published, and the index names it", async () => {
  const { bucket, store, times, show } = open();
  store.noteTable(table);
  await show(0);
  expect(await times()).toEqual([first]);
  const picture = readPicture((await bucket.get(`pictures.${first}`))?.value ?? "");
  const unpack = (packed = "") => JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString()) as unknown;
  expect(picture?.at).toBe("2026-11-19T12:00:00.000Z");
  expect([unpack(picture?.status), unpack(picture?.table)]).toEqual([{ seconds: 0 }, table]);
});

it("each second in which the ledger moved has its picture, and a moment without news has none", async () => {
  const { clock, times, show, store } = open();
  for (const seconds of [0, 1, 2]) {
    await show(seconds);
    await store.keep();
    await clock.advance(1000);
  }
  expect(await times()).toEqual([first, first + 1, first + 2]);
});

it("ages alone make no picture", async () => {
  const { clock, times, show } = open();
  await show(0, { news: '{"ageSeconds":1}', sequence: 1 });
  await clock.advance(600_000);
  await show(600, { news: '{"ageSeconds":601}', sequence: 1 });
  expect(await times()).toEqual([first]);
});

it("a planner that leads after another one goes on with its pictures, and removes what no index names", async () => {
  const { bucket, times, show, restart } = open();
  await show(0);
  // As if the process had ended before it wrote the index.
  await bucket.put("pictures.77", "{}");
  await show(5, {}, restart());
  expect(await times()).toEqual([first, first + 5]);
  const keys = [...(await bucket.keys("pictures.*"))].sort();
  expect(keys).toEqual([`pictures.${first}`, `pictures.${first + 5}`, "pictures.index"]);
});

it("a picture that is not kept any more leaves no key", async () => {
  const { bucket, clock, times, show } = open();
  await show(0);
  await clock.advance(1000);
  const monthLater = 31 * 86_400;
  await show(monthLater);
  expect(await times()).toEqual([first + monthLater]);
  expect([...(await bucket.keys("pictures.*"))].sort()).toEqual([`pictures.${first + monthLater}`, "pictures.index"]);
});

it("an index of a foreign program is replaced", async () => {
  const { bucket, times, show } = open();
  await bucket.put("pictures.index", printPictureIndex([-1]));
  await show(0);
  expect(await times()).toEqual([first]);
});

it("a bus that does not answer costs one warning, and a picture is taken when the ledger moves again", async () => {
  const { server, clock, warnings, times, show } = open();
  server.disconnect();
  await show(0);
  await show(0);
  expect(warnings).toEqual(["no picture of the fleet was kept: the page will not show this moment later"]);
  server.connect();
  await clock.advance(1000);
  await show(1);
  expect(await times()).toEqual([first + 1]);
});

it("after a wipe of the bus the index names what is there", async () => {
  const { server, clock, times, show } = open();
  await show(0);
  server.wipe();
  await clock.advance(1000);
  await show(1);
  expect(await times()).toEqual([first + 1]);
});

it("where NATS has no room the older half goes, once, and no more are kept than that", async () => {
  const { bucket, clock, full, warnings, store, times, show } = open();
  for (const seconds of [0, 1, 2, 3]) {
    await show(seconds);
    await clock.advance(1000);
  }
  full.now = true;
  await show(4);
  await store.keep();
  expect(await times()).toEqual([first + 2, first + 3]);
  expect([...(await bucket.keys("pictures.*"))].sort()).toEqual(
    [first + 2, first + 3].map((time) => `pictures.${time}`).concat("pictures.index"),
  );
  expect(warnings).toEqual(["NATS has no room: the older half of the fleet's pictures was removed"]);
  full.now = false;
  await clock.advance(90_000);
  await show(94);
  expect(await times()).toEqual([first + 2, first + 94]);
});

it("the only picture stays where NATS has no room", async () => {
  const { clock, full, times, show } = open();
  await show(0);
  full.now = true;
  await clock.advance(1000);
  await show(1);
  expect(await times()).toEqual([first]);
});

it("a planner that does not lead any more writes and removes nothing", async () => {
  const { clock, full, leading, times, show } = open();
  for (const seconds of [0, 1]) {
    await show(seconds);
    await clock.advance(1000);
  }
  leading.now = false;
  await show(2);
  full.now = true;
  await show(3);
  expect(await times()).toEqual([first, first + 1]);
});

it("half of what is there goes, where the index names pictures that are gone", async () => {
  const { bucket, clock, full, times, show } = open();
  for (const seconds of [0, 1, 2, 3]) {
    await show(seconds);
    await clock.advance(1000);
  }
  const named = [1000, 1001, 1002, 1003, 1004, 1005].map((time) => first - time).concat((await times()) ?? []);
  await bucket.put("pictures.index", printPictureIndex(named));
  full.now = true;
  await show(4);
  expect(await times()).toEqual([first + 2, first + 3]);
});
