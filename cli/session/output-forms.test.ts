import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

const rollouts = { "rollouts.yml": "production:\n  1-24-5: 100\n" };

describe("-o yaml and -o jsonpath of a command that has JSON", () => {
  it("print the object of -o json in another form", async () => {
    expect((await runCli(["version", "-o", "yaml"])).stdout).toMatch(/^apiVersion: meshroll.dev\/v1\nkind: Version\n/);
    expect((await runCli(["version", "-o", "jsonpath={.kind}"])).stdout).toBe("Version\n");
  });

  it("convert an object that is printed in parts", async () => {
    const cwd = makeFolder(rollouts);
    const { stdout } = await runCli(["assign", "a", "b", "-o", "jsonpath={.assignments[*].namespace}"], { cwd });
    expect(stdout).toBe("a b\n");
  });

  it("print a text without control characters", async () => {
    const cwd = makeFolder({ "rollouts.yml": 'production:\n  1-24-5: 100\n"\\e[31mx": [\n' });
    const { code, stdout } = await runCli(["validate", "-o", "jsonpath={.findings[*].message}"], { cwd });
    expect({ code, isPlain: !stdout.includes("\u001B") }).toEqual({ code: 65, isPlain: true });
  });

  it("refuse an invalid template before the command runs", async () => {
    const { code, stdout, stderr } = await runCli(["status", "-o", "jsonpath={.a"]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toContain("a brace is not closed");
  });

  it("are not options of a command without JSON", async () => {
    expect((await runCli(["completion", "bash", "-o", "yaml"])).code).toBe(64);
    expect((await runCli(["completion", "bash", "--jq", "."])).code).toBe(64);
  });
});

describe("--jq", () => {
  const cases = [
    { args: ["--jq", ".assignments[].namespace"], stdout: "a\nb\n" },
    {
      args: ["-o", "json", "--jq", '.assignments | map({"name": .namespace})'],
      stdout: '[{"name":"a"},{"name":"b"}]\n',
    },
    { args: ["--jq", "-(.assignments | length)"], stdout: "-2\n" },
    { args: ["--jq", '.assignments[] | select(.namespace == "c")'], stdout: "" },
    // With the input `null` it would never end: before the command runs, the filter is only parsed.
    { args: ["--jq", "until(.kind != null; .) | .kind"], stdout: "Assignments\n" },
    { args: ["--jq", '"\\u001b[31mx"'], stdout: `${String.raw`\u001b[31mx`}\n` },
  ];
  it.each(cases)("$args", async ({ args, stdout }) => {
    expect(await runCli(["assign", "a", "b", ...args], { cwd: makeFolder(rollouts) })).toMatchObject({
      code: 0,
      stdout,
    });
  });

  const refused = [
    { args: ["--jq", ".a["], why: "--jq '.a[': syntax error, unexpected" },
    { args: ["--jq", "foo"], why: "--jq 'foo': foo/0 is not defined" },
    { args: ["--jq", ".kind.x"], why: "--jq '.kind.x': Cannot index string with string" },
    { args: ["-o", "yaml", "--jq", ".kind"], why: "--jq does nothing with -o yaml" },
  ];
  it.each(refused)("$args is refused", async ({ args, why }) => {
    const { code, stdout, stderr } = await runCli(["assign", "a", ...args], { cwd: makeFolder(rollouts) });
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr.split(why)).toHaveLength(2);
  });

  it("refuses an object of a command that does not wait for its writes", async () => {
    const { code, stderr } = await runCli(["version", "--jq", ".kind.x"]);
    expect({ code, said: stderr.split("Cannot index string").length - 1 }).toEqual({ code: 64, said: 1 });
  });
});
