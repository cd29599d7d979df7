import { runCli } from "#test/run-cli";
import { expect, it } from "vitest";

import { readFleet } from "./fleet-source.ts";

it.each([
  "status",
  "watch",
  "wait x --for completed",
  "get workloads",
  "explain payments",
  "plan",
  "finish x",
  "start x.yml",
  "pin payments 1-25-2 --for 1d --reason x",
])("%s refuses names of clusters that choose nothing, before it looks anywhere", async (line) => {
  const { code, stdout, stderr } = await runCli([...line.split(" "), "--clusters", "one"]);
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toContain("--clusters chooses contexts of a kubeconfig, and none is given");
  expect(stderr).toContain("meshroll get workloads --cluster NAME");
});

it("without a bus and a kubeconfig there is no fleet", async () => {
  const terminal = { env: {} } as Parameters<typeof readFleet>[1];
  await expect(readFleet({}, terminal)).rejects.toThrow("NATS is not configured");
});
