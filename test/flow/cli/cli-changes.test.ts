import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { campaign, type CliEnvironment, fillShops, lookAt, openCliEnvironment, rollouts } from "./cli-environment.ts";

const started = { "rollouts.yml": rollouts, "campaigns/istio-1-25.yml": campaign };

/** The lines that a branch changes on main, by git. */
async function readDiff(environment: CliEnvironment, branch: string): Promise<readonly string[]> {
  const diff = await environment.git("diff", "--unified=0", "--no-renames", "main", branch);
  return diff.split("\n").filter((line) => /^[+-](?!\+\+|--)/u.test(line));
}

const countCommits = async (environment: CliEnvironment, branch: string): Promise<number> =>
  Number(await environment.git("rev-list", "--count", `main..${branch}`));

test("pin adds two lines by one pull request and can move its end; unpin removes them", async () => {
  const environment = await openCliEnvironment({ "rollouts.yml": rollouts }, fillShops);
  const pin = ["pin", "a-staging", "1-24-5", "--for", "7d", "--reason", "INC-9921"];
  const rehearsed = await environment.meshroll([...pin, "--dry-run"]);
  expect(rehearsed).toMatchObject({ code: 0, stderr: "" });
  expect(rehearsed.stdout).toContain("nothing was pushed: this is a dry run");
  expect(await environment.git("branch", "--list", "pins/*")).toBe("");

  const pinned = await environment.meshroll(pin);
  expect(pinned).toMatchObject({ code: 0, stderr: "" });
  expect(pinned.stdout).toMatch(/✔ pushed pins\/a-staging {3}[0-9a-f]{12} /u);
  expect(pinned.stdout).toMatch(/✔ pull request #1 {3}http:/u);
  expect(pinned.stdout).toContain('  undo it:\n    meshroll unpin a-staging --reason "…"');
  const until = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  expect(await readDiff(environment, "pins/a-staging")).toEqual([
    `+"^a-staging$": # meshroll: pin ana until ${until} INC-9921`,
    "+  1-24-5: 100",
  ]);
  const again = await environment.meshroll([...pin, "-o", "json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({
    apiVersion: "meshroll.dev/v1",
    kind: "Pin",
    namespace: "a-staging",
    pattern: "^a-staging$",
    pullRequest: { number: 1 },
  });
  expect(await countCommits(environment, "pins/a-staging")).toBe(1);

  await environment.git("update-ref", "refs/heads/main", "pins/a-staging");
  expect((await environment.meshroll(pin)).stdout).toContain("nothing to do: main says so already");
  const explained = await environment.meshroll(["explain", "a-staging"]);
  expect(explained.stdout).toContain(`pinned    by ana until ${until}: INC-9921`);
  const moved = await environment.meshroll([
    "pin",
    "a-staging",
    "1-25-2",
    "--until",
    "2098-01-01",
    "--reason",
    "longer",
  ]);
  expect(moved.stdout).toContain('-"^a-staging$": # meshroll: pin ana until');
  await environment.meshroll(["unpin", "a-staging", "--reason", "over"]);
  expect(await readDiff(environment, "pins/a-staging")).toEqual([
    `-"^a-staging$": # meshroll: pin ana until ${until} INC-9921`,
    "-  1-24-5: 100",
  ]);
});

test("pin of an unknown namespace warns, names the nearest one and continues; explain refuses it", async () => {
  const environment = await openCliEnvironment({ "rollouts.yml": rollouts }, fillShops);
  const pin = ["pin", "shop-99", "1-24-5", "--for", "7d", "--reason", "x", ...lookAt(environment)];
  const { code, stderr } = await environment.meshroll(pin);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^! there is no namespace shop-99 now/u),
  });
  expect(stderr).toContain("did you mean shop-");
  const known = await environment.meshroll(pin.with(1, "shop-01"));
  expect({ code: known.code, stderr: known.stderr }).toEqual({ code: 0, stderr: "" });
  const explained = await environment.meshroll(["explain", "shop-99", ...lookAt(environment)]);
  expect(explained).toMatchObject({ code: 65, stdout: "" });
  expect(explained.stderr).toMatch(/there is no namespace shop-99\n {2}did you mean shop-/u);
});

test("plan takes a pull request's number; an unknown one is refused", async () => {
  const environment = await openCliEnvironment({ "rollouts.yml": rollouts }, fillShops);
  await environment.meshroll(["pin", "shop-01", "1-25-2", "--for", "7d", "--reason", "x"]);
  const planned = await environment.meshroll(["plan", "#1", ...lookAt(environment)]);
  expect(planned.stderr).toMatch(/^pull request #1 {2}http/u);
  expect({ code: planned.code, text: planned.stdout }).toMatchObject({
    code: 0,
    text: expect.stringContaining("shop-01"),
  });
  const unknown = await environment.meshroll(["plan", "pull/9", ...lookAt(environment)]);
  expect(unknown).toMatchObject({ code: 65, stdout: "" });
  expect(unknown.stderr).toContain("there is no pull request #9\n  acme/rollouts has no pull request of that number");
});

test("pin refuses a longer pattern (MR1102), a person's own entry and a missing end; unpin refuses an unknown pin", async () => {
  const shadow = `"a-staging|${"b".repeat(40)}":\n  1-24-5: 100\n`;
  const environment = await openCliEnvironment({ "rollouts.yml": rollouts + shadow }, fillShops);
  const run = async (...args: readonly string[]) => environment.meshroll([...args, "--reason", "x"]);
  expect(await run("pin", "a-staging", "1-24-5", "--for", "7d")).toMatchObject({
    code: 83,
    stdout: "",
    stderr: expect.stringMatching(/MR1102: a pin of a-staging would never apply[^]*meshroll explain MR1102/u),
  });
  expect(await run("pin", "istio-e2e", "1-25-2", "--for", "7d")).toMatchObject({
    code: 83,
    stderr: expect.stringContaining("rollouts.yml:7 is an entry of istio-e2e that meshroll pin did not\n  write"),
  });
  expect(await run("unpin", "istio-e2e")).toMatchObject({ code: 83 });
  expect(await run("pin", "shop-01", "1-24-5")).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("--for 7d"),
  });
  expect(await run("pin", "Shop", "1-24-5", "--for", "7d")).toMatchObject({ code: 64 });
  expect(await run("unpin", "shop-01")).toMatchObject({
    code: 65,
    stderr: expect.stringContaining("no namespace is pinned"),
  });
  expect(await environment.git("branch", "--list")).toBe("* main\n");
});

test("without an SCM the branch is pushed and a link to open a pull request printed; without the right it ends with 4", async () => {
  const environment = await openCliEnvironment({ "rollouts.yml": rollouts }, fillShops);
  const pin = ["pin", "shop-01", "1-24-5", "--for", "12h", "--reason", "x"];
  const { code, stdout } = await environment.meshroll(pin, {
    MESHROLL_GITHUB_TOKEN: "",
    MESHROLL_GITHUB_REPOSITORY: "",
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /open the pull request:\n {2}http:\/\/127\.0\.0\.1:\d+\/acme\/rollouts\/compare\/main\.\.\.pins\/shop-01\?expand=1/u,
  );
  expect(await readDiff(environment, "pins/shop-01")).toHaveLength(2);
  expect(await environment.meshroll(pin.with(1, "shop-02"), { MESHROLL_GIT_TOKEN: "token-of-eve" })).toMatchObject({
    code: 4,
  });
  expect(await environment.meshroll(pin, { MESHROLL_GITHUB_TOKEN: "unknown" })).toMatchObject({ code: 4 });
});

test("start checks the file against main, shows which namespaces move first, and proposes it once", async () => {
  const environment = await openCliEnvironment({ "rollouts.yml": rollouts }, fillShops);
  writeFileSync(join(environment.folder, "c.yml"), campaign);
  writeFileSync(join(environment.folder, "bad.yml"), campaign.replace('".*-staging": 100', '".*-stagging": 100'));
  const start = ["start", "c.yml", ...lookAt(environment)];
  const bad = await environment.meshroll(["start", "bad.yml"]);
  expect(bad).toMatchObject({ code: 65, stdout: "" });
  expect(bad.stderr).toMatch(/error\[MR2003\]/u);
  const { code, stdout, stderr } = await environment.meshroll(start);
  expect(code).toBe(0);
  expect(stderr).toContain("warning[MR2004]");
  expect(stdout).toContain("4 namespaces get 1-25-2, 0 move back");
  expect(stdout).toMatch(/\+ campaigns\/istio-1-25\.yml {2}\(\d+ lines\)\n✔ pushed campaigns\/istio-1-25\/start/u);
  expect(stdout).toContain("merging it moves no workload: it lets the planner propose stages");
  const again = await environment.meshroll([...start, "-o", "json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ kind: "Start", campaign: "istio-1-25", pullRequest: { number: 1 } });
  expect(await countCommits(environment, "campaigns/istio-1-25/start")).toBe(1);
  await environment.git("update-ref", "refs/heads/main", "campaigns/istio-1-25/start");
  expect((await environment.meshroll(start)).stdout).toContain("nothing to do: main says so already");
  writeFileSync(join(environment.folder, "c.yml"), campaign.replace("51", "60"));
  expect(await environment.meshroll(start)).toMatchObject({
    code: 83,
    stderr: expect.stringContaining("its file on main differs"),
  });
});

test("finish removes the lines at 0 %, keeps the file in done/, and names what still runs the old revision", async () => {
  const environment = await openCliEnvironment(started, fillShops);
  expect(await environment.meshroll(["finish", "istio-1-25"])).toMatchObject({
    code: 83,
    stderr: expect.stringContaining("istio-1-25 is not complete: staging, prod-50, prod-51 are not reached"),
  });
  const over = rollouts
    .replace('1-24-5: 100\n  1-25-2: 0\n".*', '1-24-5: 49\n  1-25-2: 51\n".*')
    .replace("1-24-5: 100\n  1-25-2: 0", "1-24-5: 0\n  1-25-2: 100");
  const ended = await openCliEnvironment({ ...started, "rollouts.yml": over }, fillShops);
  const { code, stdout } = await ended.meshroll(["finish", "istio-1-25", ...lookAt(ended)]);
  expect(code).toBe(0);
  expect(stdout).toContain("! 25 workloads still run 1-24-5: keep its istiod until they are gone");
  expect(stdout).toContain("… 15 more");
  expect(await ended.git("diff", "--stat=80", "main", "campaigns/istio-1-25/finish")).toMatch(
    /campaigns\/(?:\{ => done\}\/istio-1-25\.yml|istio-1-25\.yml => done\/istio-1-25\.yml)/u,
  );
  expect(await ended.git("diff", "--unified=0", "main", "campaigns/istio-1-25/finish", "--", "rollouts.yml")).toMatch(
    /\n-  1-24-5: 0\n$/u,
  );
  await ended.git("update-ref", "refs/heads/main", "campaigns/istio-1-25/finish");
  expect(await ended.meshroll(["finish", "istio-1-25"])).toMatchObject({ code: 65 });
});
