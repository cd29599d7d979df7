import { makeFolder, runCli } from "#test/run-cli";
import { GitRefused, GitUnavailable } from "#libs/git";
import { describe, expect, it } from "vitest";

import { Refusal } from "./terminal/refusal.ts";
import { type Fault, readFix } from "./text/read-fix.ts";

const reason = ["--reason", "x"];
const noRepository = "no rollouts repository is configured, and";
const noBus = "NATS is not configured";

interface Case {
  readonly args: readonly string[];
  readonly want: number;
  readonly says: string;
  /** The fix that it names. */
  readonly help: string;
}

describe("in a folder without a repository or configuration", () => {
  const cases: readonly Case[] = [
    { args: ["init"], want: 78, says: noRepository, help: "give --repo URL (MESHROLL_REPO_URL)" },
    { args: ["finish", "x"], want: 78, says: noRepository, help: "give --repo URL" },
    { args: ["pin", "a", "1-24-5", "--for", "7d", ...reason], want: 78, says: noRepository, help: "give --repo URL" },
    { args: ["unpin", "a", ...reason], want: 78, says: noRepository, help: "give --repo URL" },
    { args: ["history"], want: 78, says: noRepository, help: "give --repo URL" },
    { args: ["start", "campaigns/a.yml"], want: 78, says: noRepository, help: "give --repo URL" },
    { args: ["start", "b.yml"], want: 65, says: "there is no such file", help: "meshroll start campaigns/a.yml" },
    { args: ["plan", "x"], want: 78, says: noBus, help: "give --nats URL (MESHROLL_NATS_URL) or --kubeconfig FILE" },
    { args: ["plan"], want: 64, says: "say what to plan", help: "meshroll plan CAMPAIGN [--to STAGE]" },
    { args: ["status"], want: 78, says: noBus, help: "give --nats URL (MESHROLL_NATS_URL)" },
    { args: ["watch"], want: 78, says: noBus, help: "give --nats URL" },
    { args: ["wait", "x"], want: 78, says: noBus, help: "give --nats URL" },
    { args: ["wait", "x", "--for", "Foo"], want: 64, says: "--for Foo is not a condition", help: "stage=NAME=Baked" },
    { args: ["get", "stages"], want: 78, says: noBus, help: "give --nats URL" },
    { args: ["get", "clusters"], want: 78, says: noBus, help: "give --nats URL" },
    {
      args: ["get", "ns", "--kubeconfig", "/nowhere", "--repo", "file:///nowhere"],
      want: 78,
      says: "/nowhere cannot be read: there is no such file",
      help: "give --kubeconfig the path of a file that this user can read",
    },
    { args: ["get", "--cluster", "a"], want: 64, says: "say which kind to list", help: "meshroll get lists the kinds" },
    {
      args: ["get", "ns", "-A", "-n", "a"],
      want: 64,
      says: "--all-namespaces and --namespace a say different things",
      help: "give one of them",
    },
    { args: ["get", "failurs"], want: 64, says: "there is no kind failurs", help: "did you mean failures?" },
    { args: ["explain", "a"], want: 65, says: "rollouts.yml: there is no such file", help: "--file" },
    { args: ["explain", "Foo"], want: 64, says: "`Foo` is neither", help: "codes as MR1004" },
    {
      args: ["history", "--repo", "foo"],
      want: 78,
      says: "of no kind that meshroll speaks: foo",
      help: "use file:///path",
    },
  ];
  it.each(cases)("$args", async ({ args, want, says, help }) => {
    const cwd = makeFolder({ "campaigns/a.yml": "metadata: { name: a }\n" });
    const env = { XDG_CACHE_HOME: cwd };
    const { code, stdout, stderr } = await runCli(args, { cwd, env });
    expect({ code, stdout }).toEqual({ code: want, stdout: "" });
    expect(stderr.replaceAll(/\s+/gu, " ")).toContain(says);
    expect(stderr.replaceAll(/\s+/gu, " ")).toContain(help.replaceAll(/\s+/gu, " "));
    expect(stderr.split("\n").filter((line) => line.length > 80)).toEqual([]);
    // People with a fleet of their own are not pointed to the demo.
    expect(stderr).not.toMatch(/demo|ENOENT|EACCES|ECONN/iu);
  });

  it("explain -o json has a finding's page as an object", async () => {
    const { stdout } = await runCli(["explain", "MR1004", "-o", "json"]);
    const page = { apiVersion: "meshroll.dev/v1", kind: "FindingPage", code: "MR1004" };
    expect(JSON.parse(stdout)).toMatchObject({ ...page, text: expect.stringContaining("100") as string });
  });
});

describe("an adapter's error and its fix", () => {
  const errors: readonly { readonly error: Error; readonly want: Fault }[] = [
    { error: new Error("it broke"), want: { message: "it broke", fix: [] } },
    { error: new GitRefused("it broke", "fix it"), want: { message: "it broke", fix: ["fix it"] } },
    {
      error: new GitUnavailable("git is down", { fix: "git ls-remote x" }),
      want: { message: "git is down", fix: [["look with:  ", { command: "git ls-remote x" }]] },
    },
    { error: new GitUnavailable("git is down"), want: { message: "git is down", fix: ["try it again later"] } },
    {
      error: new Refusal(64, "no such file", "name another"),
      want: { message: "no such file", fix: ["name another"] },
    },
  ];
  it.each(errors)("$error.message", ({ error, want }) => expect(readFix(error)).toEqual(want));
});
