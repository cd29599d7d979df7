import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { readStatus } from "#libs/events";
import { expect, it } from "vitest";

it("the recorded statuses of the bench and of the browser's memory have the present form", () => {
  const packed = readFileSync(new URL("../../bench/watchers/statuses.jsonl.gz", import.meta.url));
  const lines = gunzipSync(packed).toString().split("\n");
  expect(lines.length).toBeGreaterThan(50);
  expect(lines.filter((line) => readStatus(line) === undefined).length).toBe(0);
});
