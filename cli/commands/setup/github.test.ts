import { describe, expect, it } from "vitest";

import { runCli } from "#test/run-cli";

const setup = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCli(["github", "setup", ...args], { env });

describe("meshroll github setup", () => {
  it("prints GitHub's form, filled in, and what to do with it", async () => {
    const { code, stdout } = await setup(["--org", "acme"], { MESHROLL_GITHUB_REPOSITORY: "acme/rollouts" });
    expect(code).toBe(0);
    const address = stdout.split("\n").find((line) => line.startsWith("https://"));
    const { origin, pathname, searchParams } = new URL(address ?? "");
    expect(`${origin}${pathname}`).toBe("https://github.com/organizations/acme/settings/apps/new");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      name: "meshroll-acme",
      url: "https://github.com/acme/rollouts",
      public: "false",
      contents: "write",
      members: "read",
    });
    expect(stdout).toContain("  contents       write\n");
    expect(stdout).toContain("meshroll doctor --only github");
  });

  it("prints only reading rights for an executor's App", async () => {
    const { stdout } = await setup(["--org", "acme", "--executor", "-o", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "GitHubApp",
      manifest: { name: "meshroll-acme-executor", default_permissions: { metadata: "read", contents: "read" } },
    });
  });

  it("prints only the address for scripts, of the server that MESHROLL_GITHUB_API_URL names", async () => {
    const { stdout } = await setup(["-o", "name"], { MESHROLL_GITHUB_API_URL: "https://github.example.com/api/v3" });
    expect(stdout).toMatch(/^https:\/\/github\.example\.com\/settings\/apps\/new\?\S+\n$/u);
  });

  const refused = [
    { args: ["--org", "a/b"], want: "name of an organization" },
    { args: ["--name", "x".repeat(35)], want: "34 characters at most" },
    { args: ["--webhook", "https://ana:secret@example.com"], want: "without a password" },
    { args: ["--executor", "--webhook", "https://example.com/webhooks/github"], want: "executors receive no webhooks" },
  ];
  it.each(refused)("refuses $args", async ({ args, want }) => {
    const { code, stderr, stdout } = await setup(args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr.replaceAll(/\s+/gu, " ")).toContain(want);
    expect(stderr).not.toContain("secret@");
  });
});
