import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";

import { describe, expect, it } from "vitest";

import { makeFolder, runCli } from "#test/run-cli";

const good = "production:\n  1-24-5: 100\n";
const wrongSum = "production:\n  1-24-5: 75\n  1-25-2: 30\n";
const warned = "defaults:\n  strategy: Window\n  batch: {delayBetweenBatches: 1m}\n";

describe("meshroll validate", () => {
  it("finds nothing in the file as published", async () => {
    const published = readFileSync(new URL("../../test/fixtures/rollouts/airbnb.yml", import.meta.url));
    const cwd = makeFolder({ "rollouts.yml": published });
    expect(await runCli(["validate"], { cwd })).toEqual({
      code: 0,
      stdout: "✔ rollouts.yml: 3 buckets, no findings\n",
      stderr: "",
    });
  });

  it("annotates a pull request with -o github, at the path from the checkout's root", async () => {
    const cwd = makeFolder({ "rollouts.yml": wrongSum });
    const { code, stdout } = await runCli(["validate", "-o", "github"], {
      cwd,
      env: { GITHUB_WORKSPACE: dirname(cwd) },
    });
    expect(code).toBe(65);
    const file = `${basename(cwd)}/rollouts.yml`;
    expect(stdout).toBe(
      `::error file=${file},line=3,col=11,title=MR1004::percentages of this bucket add up to 105, not 100%0A` +
        "make it 25 if 1-24-5 should keep 75\n",
    );
  });

  it("checks both files of the directory when none is named", async () => {
    const cwd = makeFolder({ "rollouts.yml": good, "meshroll.yml": "assignment: {seed: a}\n" });
    const { stdout } = await runCli(["validate"], { cwd });
    expect(stdout).toBe("✔ rollouts.yml: 1 bucket, no findings\n✔ meshroll.yml: no findings\n");
  });

  const campaign = (name: string, bucket: string): string =>
    [
      `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: ${name} }`,
      `spec:\n  target: 1-25-2\n  replaces: [1-24-5]\n  stages:\n    - { name: all, set: { ${bucket}: 100 } }\n`,
    ].join("\n");

  it("also checks the directory's campaigns, except finished ones", async () => {
    const cwd = makeFolder({
      "rollouts.yml": good,
      "campaigns/b.yml": campaign("b", "production"),
      "campaigns/done/a.yml": "apiVersion: none\n",
      "campaigns/README.md": "# Campaigns\n",
    });
    const { code, stdout } = await runCli(["validate"], { cwd });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "✔ rollouts.yml: 1 bucket, no findings\n✔ campaigns/b.yml: 1 stage, no findings\n",
    });
  });

  it("checks campaigns and buckets against each other", async () => {
    const cwd = makeFolder({
      "rollouts.yml": good,
      "campaigns/a.yml": campaign("a", "production"),
      "campaigns/b.yml": campaign("b", "production"),
      "campaigns/c.yml": campaign("c", "staging"),
    });
    const { code, stdout } = await runCli(["validate"], { cwd });
    expect(code).toBe(65);
    expect(stdout).toContain("error[MR2007]: `production` is set at campaigns/a.yml:8:27 too");
    expect(stdout).toContain("  --> campaigns/b.yml:8:27\n");
    expect(stdout).toContain(
      "error[MR2003]: there is no bucket `staging` in rollouts.yml\n  --> campaigns/c.yml:8:27\n",
    );
    expect(stdout).toContain("✔ campaigns/a.yml: 1 stage, no findings\n");
  });

  it("warns of a bucket in meshroll.yml that rollouts.yml does not have", async () => {
    const cwd = makeFolder({ "rollouts.yml": good, "meshroll.yml": "buckets:\n  prod: { drift: converge }\n" });
    const { code, stdout } = await runCli(["validate"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("warning[MR3012]: rollouts.yml has no bucket `prod`");
    expect(stdout).toContain("  --> meshroll.yml:2:3\n");
  });

  it("prints what the reference page of campaigns shows", async () => {
    const at = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    const [, shown = ""] = /```console\n\$ meshroll validate\n([^]*?)```/.exec(at("docs/reference/campaigns.md")) ?? [];
    const cwd = makeFolder({
      "rollouts.yml": at("test/fixtures/campaigns/rollouts.yml"),
      "campaigns/istio-1-24-6.yml": at("test/fixtures/campaigns/istio-1-24-6.yml"),
    });
    expect((await runCli(["validate"], { cwd })).stdout).toBe(shown);
  });

  it("recognises a campaign by its first lines, wherever it comes from", async () => {
    const { code, stdout } = await runCli(["validate", "-"], { stdin: campaign("x", "production") });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "✔ (stdin): 1 stage, no findings\n" });
  });

  it("shows each error with its lines on stdout and ends with 65", async () => {
    const { code, stdout, stderr } = await runCli(["validate", "-"], { stdin: wrongSum });
    expect(code).toBe(65);
    expect(stdout).toContain("error[MR1004]: percentages of this bucket add up to 105, not 100\n  --> (stdin):3:11\n");
    expect(stdout.endsWith("(stdin): 1 error\n")).toBe(true);
    expect(stderr).toBe("more: meshroll explain MR1004\n");
  });

  it("ends with 0 when there are only warnings", async () => {
    const cwd = makeFolder({ "meshroll.yml": warned });
    const { code, stdout } = await runCli(["validate", "meshroll.yml"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("warning[MR3008]");
    expect(stdout.endsWith("✔ meshroll.yml: 1 warning\n")).toBe(true);
  });

  it("prints exactly the promised JSON: errors first, then in the order of the files", async () => {
    const cwd = makeFolder({ "meshroll.yml": warned, "b.yml": wrongSum, "c.yml": "production: {}\n" });
    const { code, stdout, stderr } = await runCli(["validate", "meshroll.yml", "b.yml", "c.yml", "-o", "json"], {
      cwd,
    });
    const { findings } = JSON.parse(stdout) as { findings: readonly Record<string, unknown>[] };
    expect(code).toBe(65);
    expect(stderr).toBe("");
    expect(findings.map(({ file, severity }) => `${String(severity)} ${String(file)}`)).toEqual([
      "error b.yml",
      "error c.yml",
      "warning meshroll.yml",
    ]);
    for (const finding of findings) {
      expect(Object.keys(finding)).toEqual(["code", "severity", "file", "line", "column", "message", "help"]);
    }
    expect(findings[0]).toMatchObject({ code: "MR1004", line: 3, column: 11 });
  });

  it("prints an empty list as JSON when there is nothing to say", async () => {
    const { code, stdout } = await runCli(["validate", "-", "-o", "json"], { stdin: good });
    const printed = { apiVersion: "meshroll.dev/v1", kind: "FindingList", findings: [] };
    expect({ code, printed: JSON.parse(stdout) as unknown }).toEqual({ code: 0, printed });
  });

  it("reports a missing file, and continues with the others", async () => {
    const cwd = makeFolder({ "b.yml": good });
    const { code, stdout } = await runCli(["validate", "a.yml", "b.yml", "."], { cwd });
    expect(code).toBe(65);
    expect(stdout).toContain("error[MR1000]: there is no such file\n  --> a.yml:1:1");
    expect(stdout).toContain("error[MR1000]: it is a directory");
    expect(stdout).toContain("✔ b.yml: 1 bucket, no findings\n");
  });

  it("reports a missing rollouts.yml", async () => {
    const { code, stdout } = await runCli(["validate"], { cwd: makeFolder({}) });
    expect(code).toBe(65);
    expect(stdout).toContain("--> rollouts.yml:1:1");
  });

  it("refuses stdin twice", async () => {
    const { code, stderr } = await runCli(["validate", "-", "-"]);
    expect(code).toBe(64);
    expect(stderr).toContain("can be read only once");
  });

  const escape = "\u001b[";
  const colours: readonly { name: string; isTTY: boolean; env: Record<string, string>; wantColour: boolean }[] = [
    { name: "a terminal", isTTY: true, env: {}, wantColour: true },
    { name: "a pipe", isTTY: false, env: {}, wantColour: false },
    { name: "NO_COLOR", isTTY: true, env: { NO_COLOR: "1" }, wantColour: false },
    { name: "an empty NO_COLOR", isTTY: true, env: { NO_COLOR: "" }, wantColour: true },
    { name: "TERM=dumb", isTTY: true, env: { TERM: "dumb" }, wantColour: false },
  ];
  it.each(colours)("colours for $name: $wantColour", async ({ isTTY, env, wantColour }) => {
    const { stdout } = await runCli(["validate", "-"], { stdin: wrongSum, isTTY, env });
    expect(stdout.includes(escape)).toBe(wantColour);
  });
});
