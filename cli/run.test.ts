import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { runCli } from "#test/run-cli";

import { exitMeanings } from "./terminal/exit-codes.ts";

describe("the command line", () => {
  const wrong: readonly { args: readonly string[]; wantText: RegExp }[] = [
    { args: ["valdate"], wantText: /unknown command 'valdate'\n\(Did you mean validate\?\)/ },
    { args: ["help", "valdate"], wantText: /unknown command 'valdate'\n\(Did you mean validate\?\)/ },
    { args: ["validate", "--outptu", "json"], wantText: /unknown option '--outptu'\n\(Did you mean --output\?\)/ },
    { args: ["validate", "-o", "table"], wantText: /Allowed\s+choices are human, json/ },
    { args: ["explain"], wantText: /missing required argument 'subject'/ },
    { args: ["version", "now"], wantText: /too many arguments/ },
    { args: ["assign", "--seed"], wantText: /argument missing/ },
  ];
  it.each(wrong)("refuses $args with 64, on stderr only", async ({ args, wantText }) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toMatch(wantText);
    expect(stderr).toContain("meshroll help");
  });

  it("lists every command without arguments, with help and with --help", async () => {
    const { code, stdout } = await runCli([]);
    expect(code).toBe(0);
    for (const name of ["validate", "assign", "explain", "version", "help"]) expect(stdout).toContain(`  ${name} `);
    expect((await runCli(["help"])).stdout).toBe(stdout);
    expect((await runCli(["--help"])).stdout).toBe(stdout);
  });

  it("says where the fleet is without arguments, where a bus is known", async () => {
    const { code, stderr } = await runCli([], { env: { MESHROLL_NATS_URL: "nats://127.0.0.1:9" } });
    expect({ code, stderr }).toEqual({ code: 69, stderr: expect.stringContaining("NATS at 127.0.0.1:9") as string });
  });

  it("shows the same help for `help X` and `X --help`", async () => {
    const { code, stdout } = await runCli(["help", "validate"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: meshroll validate [options] [file...]");
    expect((await runCli(["validate", "--help"])).stdout).toBe(stdout);
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    expect(await runCli(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect((await runCli(["version"])).stdout).toMatch(`meshroll ${version} (assignment wrh1, Node `);
    expect(JSON.parse((await runCli(["version", "-o", "json"])).stdout)).toMatchObject({ version, assignment: "wrh1" });
  });

  it("lists the exit codes, and the documentation lists the same", async () => {
    const { stdout } = await runCli(["help", "exit-codes"]);
    const page = readFileSync(new URL("../docs/reference/exit-codes.md", import.meta.url), "utf8").replaceAll(
      / +/g,
      " ",
    );
    for (const { code, meaning } of exitMeanings) {
      expect(stdout).toMatch(new RegExp(`^ +${code}  ${meaning}$`, "m"));
      expect(page).toContain(`| ${code} | ${meaning} |`);
    }
  });
});
