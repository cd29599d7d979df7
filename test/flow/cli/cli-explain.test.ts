import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { makeFolder, runCli } from "#test/run-cli";
import { expect, test } from "vitest";

import { campaign, fillShops, lookAt, openCliEnvironment, rollouts } from "./cli-environment.ts";

const files = { "rollouts.yml": rollouts, "campaigns/istio-1-25.yml": campaign };

test("explain says which stage moves a namespace, the earliest time, its exclusion's end, and what its pods run", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const run = async (...args: readonly string[]) =>
    environment.meshroll(["explain", ...args, "--tz", "UTC", ...lookAt(environment)]);
  const staging = await run("ads-staging");
  expect(staging).toMatchObject({ code: 0, stderr: "" });
  expect(staging.stdout).toMatch(/^ads-staging → 1-24-5 {3}\(main [0-9a-f]{12}\)\n/u);
  expect(staging.stdout).toMatch(
    / {2}campaign {2}istio-1-25 brings it to 1-25-2 with stage staging \(1 of 3\)\n {12}not before \d{4}-/u,
  );
  expect(staging.stdout).toContain("  runs      1 workload, 1 pod: 1 on 1-24-5 ✔\n");
  expect(staging.stdout).toContain('  opt out   meshroll pin ads-staging 1-24-5 --for 7d --reason "…"\n');
  expect(staging.stdout).toContain("  go back   the same pin takes it back after it moved\n");

  const early = (await run("shop-02")).stdout;
  expect(early).toMatch(/with stage prod-50 \(2 of 3\)\n {12}not before \d{4}-01-01 08:00:00 UTC\n/u);
  const excluded = JSON.parse((await run("shop-10", "-o", "json")).stdout) as Record<string, unknown>;
  expect(excluded).toMatchObject({
    apiVersion: "meshroll.dev/v1",
    kind: "Explanation",
    moves: [{ campaign: "istio-1-25", excluded: { reason: "PCI audit", until: "2098-01-01T00:00:00.000Z" } }],
    runs: { workloads: [{ cluster: "one", workload: "Deployment/web", pods: 2, revisions: { "1-24-5": 2 } }] },
  });
  expect((await run("istio-e2e")).stdout).toContain("istio-1-25: no stage brings it to 1-25-2");
  expect(await run("no-such-namespace")).toMatchObject({
    code: 65,
    stdout: "",
    stderr: expect.stringMatching(/there is no namespace no-such-namespace\n {2}known: ads-/u),
  });
});

test("offline explain uses the local files, without the running pods; a bus that is down is no failure", async () => {
  const cwd = makeFolder({ "rollouts.yml": rollouts });
  mkdirSync(join(cwd, "campaigns"));
  writeFileSync(join(cwd, "campaigns", "istio-1-25.yml"), campaign);
  const offline = await runCli(["explain", "ads-staging"], { cwd });
  expect(offline.stdout).toContain("with stage staging (1 of 3)");
  expect(offline.stdout).not.toContain("  runs  ");
  const { code, stdout } = await runCli(["explain", "ads-staging", "--nats", "nats://127.0.0.1:1"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/runs {6}not known: NATS at 127\.0\.0\.1:1 does not answer: (?!NATS)/u);
});

test("explain of a namespace whose label is back on old gives no tick, though its pods are not yet, and says who wrote it", async () => {
  const moved = "production:\n  1-24-5: 0\n  1-25-2: 100\n";
  const environment = await openCliEnvironment({ "rollouts.yml": moved }, (model) => {
    fillShops(model);
    model.addNamespace("unit", { labels: { "istio.io/rev": "1-25-2" } });
    model.addDeployment({ ns: "unit", name: "web", replicas: 2 });
    model.ownerPatchNamespace("unit", { labels: { "istio.io/rev": "1-24-5" } }, { manager: "kubectl-label" });
  });
  const explain = async (name: string) => environment.meshroll(["explain", name, ...lookAt(environment)]);
  const forms = ["unit", "one:unit", "namespace/unit", "'one:unit/deployment/web'"];
  for (const form of forms) {
    const { stdout } = await explain(form);
    expect(stdout).toMatch(/^unit → 1-25-2 /u);
    expect(stdout).toContain("  runs      1 workload, 2 pods: 2 on 1-25-2\n");
    expect(stdout).toContain("            one Namespace/unit asks for 1-24-5, written by kubectl-label\n");
  }
});

test("explain of a failed namespace says what failed, why and since when, and the commands to inspect, retry and roll back", async () => {
  const run = "0123456789ab";
  const at = "2026-11-19T12:00:00.000Z";
  const moved = "production:\n  1-24-5: 0\n  1-25-2: 100\n";
  const environment = await openCliEnvironment({ "rollouts.yml": moved }, (model) => {
    fillShops(model);
    const labels = { "istio.io/rev": "1-24-5" };
    const mark = (revision: string) => ({
      "meshroll.dev/run": `${run} ${revision}`,
      "meshroll.dev/failed": `${revision} ReadinessTimeout ${at} {"code":"NotReady","container":"istio-proxy"}`,
    });
    const byUs = { user: "meshroll-executor", manager: "meshroll" };
    for (const [name, revision] of [
      ["web", "1-25-2"],
      ["old", "1-23-0"],
    ] as const) {
      const ref = model.addDeployment({ ns: "cart", name, labels });
      model.ownerApply(ref, { annotations: mark(revision) }, byUs);
    }
  });
  const explain = async (...args: readonly string[]) =>
    environment.meshroll(["explain", ...args, "--tz", "UTC", ...lookAt(environment)]);
  expect((await explain("cart")).stdout).toContain(
    [
      "  failed    one Deployment/web  ✖ ReadinessTimeout: istio-proxy is not ready since 2026-11-19 12:00:00 UTC, in run 0123456789ab",
      "            meshroll get failures run/0123456789ab",
      "              lists the failed workloads and why each failed; changes nothing",
      '            meshroll retry run/0123456789ab one:cart/Deployment/web --reason "…"',
      "              once the cause is fixed: tries it again, and the run continues",
      '            meshroll rollback run/0123456789ab --reason "…"',
      "              rolls back all workloads that it moved, in batches; the bucket then stays on hold until a person runs unhold\n",
    ].join("\n"),
  );
  expect(JSON.parse((await explain("cart", "-o", "json")).stdout)).toMatchObject({
    failed: { items: [{ cluster: "one", workload: "Deployment/web", code: "ReadinessTimeout", at, run }] },
  });
  expect((await explain("shop-00")).stdout).not.toContain("  failed  ");
  const listed = await environment.meshroll(["get", "failures", ...lookAt(environment)]);
  expect(listed.stdout).toMatch(/^cart\/Deployment\/web +one +ReadinessTimeout +0123456789ab /mu);
  expect(listed.stderr).toContain("one:cart/Deployment/web  ReadinessTimeout: istio-proxy is not ready\n");
});
