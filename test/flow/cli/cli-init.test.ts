import { expect, test } from "vitest";

import { fillShops, openCliEnvironment, rollouts } from "./cli-environment.ts";

test("1.2 init records main as the baseline, once; a dry run records nothing, and both can print JSON", async () => {
  const environment = await openCliEnvironment({ "rollouts.yml": rollouts }, fillShops);
  const main = (await environment.git("rev-parse", "main")).trim();
  const rehearsed = JSON.parse((await environment.meshroll(["init", "--dry-run", "-o", "json"])).stdout) as unknown;
  expect(rehearsed).toEqual({ apiVersion: "meshroll.dev/v1", kind: "Baseline", commit: main, changed: false });
  expect(await environment.git("branch", "--list", "meshroll/*")).toBe("");
  const { code, stdout } = await environment.meshroll(["init"]);
  expect(code).toBe(0);
  expect(stdout).toContain(`✔ baseline ${main.slice(0, 12)} recorded on branch meshroll/ledger`);
  expect(stdout).toContain("--delete meshroll/ledger");
  const again = JSON.parse((await environment.meshroll(["init", "-o", "json"])).stdout) as unknown;
  expect(again).toMatchObject({ kind: "Baseline", commit: main, changed: false, by: "ana" });
  const history = await environment.meshroll(["history", "--tz", "UTC"]);
  expect(history.stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}ana {2}init\n/u);
  expect(history.stdout).toContain("times are of the planner's clock, as in the ledger's records\n");
});
