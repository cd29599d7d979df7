import { gunzipSync } from "node:zlib";

import { namePictureKey, readPicture, readPictureIndex, readStatus } from "#libs/events";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop } from "../shop.ts";

async function readTimes(flow: FleetFlow): Promise<readonly number[]> {
  return readPictureIndex((await flow.bucket("status").get("pictures.index"))?.value ?? "") ?? [];
}

/** The status in each picture; fails where one that the index names is not there. */
async function readStates(flow: FleetFlow): Promise<readonly (string | undefined)[]> {
  const states = (await readTimes(flow)).map(async (time) => {
    const picture = readPicture((await flow.bucket("status").get(namePictureKey(time)))?.value ?? "");
    const text = gunzipSync(Buffer.from(picture?.status ?? "", "base64")).toString();
    return picture?.table === undefined ? "no table" : readStatus(text)?.state;
  });
  return Promise.all(states);
}

test("a run leaves pictures of its course, and a planner that leads next goes on with them", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  const states = await readStates(flow);
  expect([states[0], states.includes("InProgress"), states.at(-1)]).toEqual(["Idle", true, "Idle"]);
  const before = await readTimes(flow);
  await flow.killPlanner(1);
  flow.startPlanner();
  await flow.pass(30_000);
  const after = await readTimes(flow);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.length).toBeGreaterThan(before.length);
  await flow.end();
});
