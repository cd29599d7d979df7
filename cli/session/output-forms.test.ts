import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

const rollouts = { "rollouts.yml": "production:\n  1-24-5: 100\n" };

describe("-o yaml and -o jsonpath of a command that has JSON", () => {
  it("print the object of -o json in another form", async () => {
    expect((await runCli(["version", "-o", "yaml"])).stdout).toMatch(/^apiVersion: meshroll.dev\/v1\nkind: Version\n/);
    expect((await runCli(["version", "-o", "jsonpath={.kind}"])).stdout).toBe("Version\n");
  });

  it("wait for an object that is printed in parts", async () => {
    const cwd = makeFolder(rollouts);
    const { stdout } = await runCli(["assign", "a", "b", "-o", "jsonpath={.assignments[*].namespace}"], { cwd });
    expect(stdout).toBe("a b\n");
  });

  it("a picked text cannot send a terminal what it would obey", async () => {
    const cwd = makeFolder({ "rollouts.yml": 'production:\n  1-24-5: 100\n"\\e[31mx": [\n' });
    const { code, stdout } = await runCli(["validate", "-o", "jsonpath={.findings[*].message}"], { cwd });
    expect({ code, isPlain: !stdout.includes("\u001B") }).toEqual({ code: 65, isPlain: true });
  });

  it("a template that is none is refused before the command runs", async () => {
    const { code, stdout, stderr } = await runCli(["status", "-o", "jsonpath={.a"]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toContain("a brace is not closed");
  });

  it("a command without JSON has neither", async () => {
    expect((await runCli(["completion", "bash", "-o", "yaml"])).code).toBe(64);
  });
});
