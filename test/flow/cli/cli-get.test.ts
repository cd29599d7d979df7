import { parseAllDocuments } from "yaml";
import { expect, test } from "vitest";

import { campaign, fillShops, lookAt, openCliEnvironment, rollouts } from "./cli-environment.ts";

const files = { "rollouts.yml": rollouts, "campaigns/istio-1-25.yml": campaign };

test("get and status work from file and cluster, without a planner", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const meshroll = async (...args: readonly string[]) => environment.meshroll([...args, ...lookAt(environment)]);

  const namespaces = await meshroll("get", "namespaces");
  expect(namespaces.stderr).toBe("");
  expect(namespaces.stdout.split("\n").slice(0, 2)).toEqual([
    "NAME         BUCKET      DESIRED  RUNNING  WORKLOADS  STATE",
    "ads-staging  .*-staging  1-24-5   1-24-5   1          ok",
  ]);
  const one = await meshroll("get", "workloads", "shop-03", "-o", "name");
  expect(one.stdout).toBe("workload/one:shop-03/Deployment/web\n");
  const revisions = await meshroll("get", "revisions");
  expect(revisions.stdout.split("\n").slice(1, 3)).toEqual([
    "1-24-5  25          25         49    1         in-use",
    "1-25-2  0           0          0     1         unused",
  ]);
  expect(await meshroll("get", "failures")).toEqual({ code: 0, stdout: "", stderr: "no failures\n" });

  const status = await meshroll("status", "istio-1-25", "--tz", "UTC", "--plain");
  expect(status.code).toBe(0);
  expect(status.stdout.split("\n").slice(0, 4)).toEqual([
    "istio-1-25  1-24-5 -> 1-25-2  stage 1/3 staging  Idle",
    "",
    "  where      .*-staging: requested 0 %, actual 0 % (0 of 4)",
    "             production: requested 0 %, actual 0 % (0 of 20)",
  ]);
  expect(status.stdout).toContain("waiting    without a planner");

  const sail = await meshroll("status", "-o", "sail");
  expect(parseAllDocuments(sail.stdout).map((each) => each.toJS() as unknown)).toEqual([
    { metadata: { name: "one" }, status: { workloadMigration: { state: "Idle" } } },
  ]);
});

test("simulate can read the output of get fleet", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const { stdout, code } = await environment.meshroll(["get", "fleet", "-o", "json", ...lookAt(environment)]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    apiVersion: "meshroll.dev/v1",
    kind: "FleetSnapshot",
    clusters: [{ facts: { cluster: "one" } }],
  });
});
