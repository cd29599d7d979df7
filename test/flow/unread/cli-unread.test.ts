import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import {
  campaign,
  type CliEnvironment,
  fillShops,
  lookAt,
  openCliEnvironment,
  rollouts,
} from "../cli/cli-environment.ts";

const [good, other] = ["campaigns/istio-1-25.yml", "campaigns/other.yml"];
const broken = "kind: [\n";
const main = { "rollouts.yml": rollouts, [good]: campaign, [other]: broken };
const place = /campaigns\/other\.yml:\d+:1\b/u;

/** Pushes a branch with these files on top of main; bytes are written unchanged. */
async function branch(
  environment: CliEnvironment,
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const work = join(environment.folder, `work-${name}`);
  await environment.git("worktree", "add", "-q", "-b", name, work, "main");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(work, path, ".."), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  const who = ["-c", "user.name=ana", "-c", "user.email=ana@example.com"];
  await environment.git("-C", work, "add", "-A");
  await environment.git("-C", work, ...who, "commit", "-q", "-m", name);
}

test("commands work next to a campaign with errors, and are refused for that campaign, with file, line and column", async () => {
  const environment = await openCliEnvironment(main, fillShops);
  const refused = [["plan", "other", ...lookAt(environment)], ["finish", "other", ...lookAt(environment)], ["init"]];
  for (const args of refused) {
    const { code, stdout, stderr } = await environment.meshroll(args);
    expect({ args, code, stdout }).toEqual({ args, code: 65, stdout: "" });
    expect(stderr).toMatch(place);
  }
  expect(await environment.meshroll(["plan", "istio-1-25", ...lookAt(environment)])).toMatchObject({
    code: 0,
    stderr: "",
  });
  const third = campaign.replace("istio-1-25", "third").replaceAll(/ {4}- \{ name: (?:staging|prod).*\n/gu, "");
  writeFileSync(join(environment.folder, "third.yml"), `${third}    - { name: e2e, set: { istio-e2e: 100 } }\n`);
  const started = await environment.meshroll(["start", "third.yml", "--dry-run", ...lookAt(environment)]);
  expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining("campaigns/third.yml") });
  writeFileSync(join(environment.folder, "fourth.yml"), broken);
  const fourth = await environment.meshroll(["start", "fourth.yml", "--dry-run", ...lookAt(environment)]);
  expect([fourth.code, fourth.stderr]).toEqual([65, expect.stringContaining("it is not started")]);
  const doctor = await environment.meshroll(["doctor", "--only", "git"]);
  expect([doctor.code, doctor.stdout]).toEqual([79, expect.stringContaining("main holds campaign other")]);
});

test("plan of a branch fails for errors that the branch adds, as its check does, not for errors that main already has", async () => {
  const environment = await openCliEnvironment(main, fillShops);
  const moved = rollouts.replace(
    '".*-staging":\n  1-24-5: 100\n  1-25-2: 0',
    '".*-staging":\n  1-24-5: 50\n  1-25-2: 50',
  );
  const latin = Buffer.from(`${campaign}# caf\u00E9\n`, "latin1");
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`campaigns/c${at}.yml`, broken]));
  await branch(environment, "moves", { "rollouts.yml": moved });
  await branch(environment, "breaks", { [good]: broken });
  await branch(environment, "touches", { [other]: `${broken}# looked at\n` });
  await branch(environment, "latin", { [good]: latin });
  await branch(environment, "many", many);
  const plan = async (from: string, to: string) =>
    environment.meshroll(["plan", "--from", from, "--to", to, ...lookAt(environment)]);

  expect(await plan("main", "moves")).toMatchObject({ code: 0, stderr: "" });
  const wants = [
    { to: "breaks", want: /campaigns\/istio-1-25\.yml:2:1 / },
    { to: "touches", want: place },
    { to: "latin", want: /campaigns\/istio-1-25\.yml:\d+:6 .*not UTF-8/ },
    { to: "many", want: /campaigns:1:1 / },
  ];
  for (const { to, want } of wants) {
    const { code, stdout, stderr } = await plan("main", to);
    expect({ to, code, stdout }).toEqual({ to, code: 65, stdout: "" });
    expect(stderr).toMatch(want);
  }
  expect((await plan("main", "breaks")).stderr).not.toMatch(place);

  // If the folder had too many files on main already, the branch is not blamed for it.
  await environment.git("update-ref", "refs/heads/main", "many");
  await branch(environment, "moves-among-many", { "rollouts.yml": moved });
  expect(await plan("main", "moves-among-many")).toMatchObject({ code: 0, stderr: "" });
});

test("simulate reads only the given campaign: errors of another one do not matter, its own are refused", async () => {
  const environment = await openCliEnvironment({ "rollouts.yml": rollouts }, fillShops);
  mkdirSync(join(environment.folder, "campaigns"));
  const files = { "rollouts.yml": rollouts, [good]: campaign, [other]: broken };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(environment.folder, path), text);
  writeFileSync(join(environment.folder, "campaigns/latin.yml"), Buffer.from(`${campaign}# caf\u00E9\n`, "latin1"));
  const simulate = async (name: string) =>
    environment.meshroll([
      "simulate",
      name,
      "--fleet",
      "live",
      "--start",
      "2098-01-01T08:00:00Z",
      "-o",
      "json",
      ...lookAt(environment),
    ]);
  const simulated = await simulate("istio-1-25");
  expect(JSON.parse(simulated.stdout)).toMatchObject({ kind: "Simulation" });
  expect(simulated.stderr).toBe("");
  for (const { name, want } of [
    { name: "other", want: place },
    { name: "latin", want: /campaigns\/latin\.yml:\d+:6/u },
  ]) {
    const { code, stdout, stderr } = await simulate(name);
    expect({ name, code, stdout }).toEqual({ name, code: 65, stdout: "" });
    expect(stderr).toMatch(want);
    expect(stderr).toContain(`campaigns/${name}.yml has errors, so it cannot be simulated`);
  }
});
