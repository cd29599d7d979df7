import { expect, test } from "vitest";

import { fillShops, lookAt, openCliEnvironment } from "./cli-environment.ts";

test("1.7 status without a planner names file, line and column of a main that does not parse", async () => {
  const files = {
    "rollouts.yml": "production:\n  old: 100\n",
    "meshroll.yml": "defaults:\n  batch: { batchSize: many }\n",
  };
  const environment = await openCliEnvironment(files, fillShops);
  const { code, stderr } = await environment.meshroll(["status", ...lookAt(environment)]);

  expect(code).toBe(65);
  // The line breaks depend on the length of the URL.
  expect(stderr.replaceAll(/\s+/gu, " ")).toMatch(/does not parse: meshroll\.yml:2:23 MR\d+ /u);
  expect(stderr).toContain("meshroll validate");
});
