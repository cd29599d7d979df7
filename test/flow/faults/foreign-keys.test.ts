import { readAnswer } from "#libs/events";
import { testInstallation } from "#libs/input";
import { describe, expect, test } from "vitest";

import { file, openShop, listMovedPaths } from "../shop.ts";

const stop = {
  version: 1,
  verb: "stop",
  scope: "cluster/one",
  strength: "move",
  who: "eve",
  why: "x",
  at: "2026-11-19T12:00:00Z",
};

/** Any client can use a login of the CLI to write any key with any value. */
const ids = ["é", "x".repeat(10_000), "-", "_", "constructor", "__proto__", "toString", "a b", "a..b"];
const cases: readonly { readonly name: string; readonly id: string; readonly value: string }[] = [
  ...ids.map((id) => ({ name: `the id ${id.slice(0, 20)}`, id, value: JSON.stringify({ ...stop, id }) })),
  { name: "no JSON", id: "stop-1", value: "{" },
  { name: "a value of 1 MB", id: "stop-1", value: "x".repeat(1_000_000) },
];

describe("7.5 one bad key under request.* blocks neither the planner's status, nor other requests, nor comments", () => {
  test.each(cases)("$name", async ({ id, value }) => {
    const flow = await openShop();
    flow.bus.write(`control-${testInstallation}`, `request.${id}`, value);
    await flow.pass(5000);
    await flow.whenAsked({ verb: "stop", scope: "all", id: "stop-after" });
    await flow.pass(30_000);

    const status = await flow.status();
    expect((flow.clock.now() - Date.parse(status?.at ?? "")) / 1000).toBeLessThan(10);
    expect(readAnswer((await flow.bucket("status").get("answer.stop-after"))?.value ?? "")).toMatchObject({
      answer: { outcome: "done" },
    });
    expect(status?.stops.map((each) => each.id)).toEqual(["stop-after"]);
    expect(Object.keys((await flow.ledger())?.stops ?? {})).toEqual(["stop-after"]);
    await flow.whenAsked({ verb: "resume", scope: "all", stops: ["stop-after"] });
    flow.whenMerged(file(100));
    expect((await flow.untilRunsEnd(1)).map(({ state }) => state)).toEqual(["done"]);
    expect(listMovedPaths(flow).length).toBe(6);
    await flow.end();
  });
});
