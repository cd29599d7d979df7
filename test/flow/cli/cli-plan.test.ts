import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { campaign, fillShops, lookAt, openCliEnvironment, rollouts } from "./cli-environment.ts";

const files = {
  "rollouts.yml": rollouts,
  "meshroll.yml": "{}\n",
  "campaigns/istio-1-25.yml": campaign,
};

test("plan CAMPAIGN shows the next stage: the file's diff, buckets, clusters, what it needs, when, and what may hurt", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const { code, stdout, stderr } = await environment.meshroll(["plan", "istio-1-25", ...lookAt(environment)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe(`istio-1-25: staging (1 of 3)

 .*-staging:
-  1-24-5: 100
-  1-25-2: 0
+  1-24-5: 0
+  1-25-2: 100

BUCKET      NS  RUNS  REQUESTED  NOW      AFTER      MOVE  WORKLOADS  PODS
.*-staging  4   0     0→100%     0(0.0%)  4(100.0%)  4     4          7
production  20  0     0%         0(0.0%)  0(0.0%)    0     0          0
istio-e2e   1   0     0%         0(0.0%)  0(0.0%)    0     0          0

CLUSTER  WAVE  NAMESPACES  WORKLOADS  PODS  BATCHES  ABOUT
one      1     4           4          7     2        3min

warning[MR1106]: stage prod-51 moves no namespace: no managed namespace changes revision
  --> campaigns/istio-1-25.yml:19:1
   = help: raise its percentage until plan shows a move, or remove the stage

4 namespaces get 1-25-2, 0 move back, 21 stay. 4 is the fewest possible.
4 workloads restart (7 pods): 2 batches in 1 wave, about 3 min at a minute per
  restart, with the delays.
It merges itself at once, when both checks are green. It may start at once.
  Not covered by any stage: 6.
  see
    meshroll plan istio-1-25 --show leftover
! 1 restart may be noticed by an owner: see
  meshroll plan istio-1-25 --to staging --show blocked
`);
});

test("-o github annotates each finding at its line, and the summary once", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const { code, stdout } = await environment.meshroll(["plan", "istio-1-25", "-o", "github", ...lookAt(environment)]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      "::warning file=campaigns/istio-1-25.yml,line=19,col=1,title=MR1106::stage prod-51 moves no namespace: no managed " +
      "namespace changes revision%0Araise its percentage until plan shows a move, or remove the stage\n" +
      "::notice title=meshroll plan::4 namespaces move, 4 workloads restart\n",
  });
});

test("--fleet plans for a saved fleet without bus or cluster; another kind of file is refused", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const fleet = fileURLToPath(new URL("../../fixtures/fleet/six-clusters.json", import.meta.url));
  const saved = await environment.meshroll(["plan", "istio-1-25", "--fleet", fleet]);
  expect(saved).toMatchObject({ code: 0, stderr: "" });
  expect(saved.stdout).toMatch(/^stage-use1 +2 +10 +20 +60 +10 /mu);
  const wrong = fileURLToPath(new URL("../../fixtures/rollouts/airbnb.yml", import.meta.url));
  const refused = await environment.meshroll(["plan", "istio-1-25", "--fleet", wrong]);
  expect(refused).toMatchObject({ code: 65, stdout: "" });
  // The line breaks depend on the length of the folder's path.
  expect(refused.stderr.replaceAll(/\s+/gu, " ")).toContain("is not a saved fleet");
  const twice = await environment.meshroll(["plan", "istio-1-25", "--fleet", fleet, ...lookAt(environment)]);
  expect(twice).toMatchObject({ code: 64, stdout: "" });
});

test("a later stage is planned on top of the ones before it: exclusions stay, and the window gives the time", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const args = ["plan", "istio-1-25", "--to", "prod-50", "--tz", "UTC", ...lookAt(environment)];
  const { stdout } = await environment.meshroll(args);
  expect(stdout).toContain("Before it comes staging; this counts only what it moves in addition.");
  expect(stdout).toMatch(/^production +20 +0 +0→50% /mu);
  expect(stdout).toMatch(/^production: \d+ namespaces? excluded until 2098-01-01; they are not moved$/mu);
  expect(stdout).toContain("Needs 2 approvals (team:mesh), not the author's.");
  expect(stdout.replaceAll(/\s+/gu, " ")).toMatch(
    /Earliest start \d{4}-01-01 08:00:00 UTC, until \d{4}-01-01 09:00:00 UTC \(now: outside the window "0 9 1 1 \*"/u,
  );
  const json = JSON.parse((await environment.meshroll([...args, "-o", "json"])).stdout) as Record<string, unknown>;
  expect(json).toMatchObject({
    apiVersion: "meshroll.dev/v1",
    kind: "CampaignPlan",
    stage: { name: "prod-50", index: 2 },
  });
  const blocked = await environment.meshroll([...args, "--show", "blocked"]);
  expect(blocked.stdout).toMatch(
    /✖ one shop-1\d\/Deployment\/web {2}skipped: Excluded: PCI audit, until 2098-01-01 00:00:00 UTC/u,
  );
});

test("1.6 a stage that moves nothing is an error with a fix at plan", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const { code, stdout } = await environment.meshroll([
    "plan",
    "istio-1-25",
    "--to",
    "prod-51",
    ...lookAt(environment),
  ]);
  expect(code).toBe(65);
  expect(stdout).toContain("error[MR1106]: stage prod-51 moves no namespace: no managed namespace changes revision\n");
  expect(stdout).toMatch(
    /--> campaigns\/istio-1-25\.yml:\d+:1\n +. help: raise its percentage until plan shows a move/u,
  );
});

test("percentages, parts, --exit-code, and refused arguments", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const run = async (...args: readonly string[]) => environment.meshroll(["plan", ...args, ...lookAt(environment)]);
  const percent = await run("istio-1-25", "--to", "40%", "--exit-code");
  expect(percent.stdout).toMatch(/^istio-1-25: istio-1-25 at 40 %/u);
  expect(percent.code).toBe(2);
  const leftover = await run("istio-1-25", "--show", "leftover");
  expect(leftover.stdout).toContain("istio-e2e  stays on 1-24-5: its own entry pins it\n");
  expect(leftover.stdout).toMatch(/shop-\d\d {2}stays on 1-24-5: the last stage that sets production gives 51 %/u);
  expect((await run("istio-1-25", "--show", "moves")).stdout).toMatch(/^NAMESPACE .*\nads-staging/u);
  expect(await run("istio-1-25", "--to", "prod-99")).toMatchObject({
    code: 65,
    stderr: expect.stringContaining("prod-50, prod-51, staging"),
  });
  expect(await run("istio-1-24")).toMatchObject({ code: 65, stderr: expect.stringContaining("known: istio-1-25") });
  expect(await run()).toMatchObject({ code: 64, stderr: expect.stringContaining("meshroll plan CAMPAIGN") });
  const refs = JSON.parse((await run("--from", "main", "-o", "json")).stdout) as Record<string, unknown>;
  expect(refs).toMatchObject({ apiVersion: "meshroll.dev/v1", kind: "Plan", moves: [] });
});
