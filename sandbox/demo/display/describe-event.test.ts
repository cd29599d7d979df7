import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { makeEvent, readEvent } from "#libs/events";

import { describeEvent } from "./describe-event.ts";

const samples = JSON.parse(
  readFileSync(new URL("../../../libs/events/catalogue-samples.json", import.meta.url), "utf8"),
) as Readonly<Record<string, unknown>>;

test("every event of the catalogue gives one line for people, or none", () => {
  const events = Object.values(samples).map((sample) => readEvent(JSON.stringify(sample)));
  expect(events.length).toBeGreaterThan(10);
  for (const event of events) {
    const note = event === undefined ? undefined : describeEvent(event);
    expect(note?.text ?? "").not.toContain("undefined");
  }
});

test("a failure names the place, the reason, and the undo", () => {
  const data = { run: "a", cluster: "prod-1", workload: "x/Deployment/y", revision: "r", code: "ReadinessTimeout" };
  const event = makeEvent("workloadFailed", "id", 0, { ...data, reason: data.code, reverted: true });
  expect(describeEvent(event)).toEqual({
    at: "1970-01-01T00:00:00.000Z",
    text: "✖ prod-1 x/Deployment/y: ReadinessTimeout, put back",
  });
});
