import { Command } from "commander";
import { runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

import { writeManual } from "./write-manual.ts";

async function readPages(): Promise<Readonly<Record<string, string>>> {
  const { code, stdout, stderr } = await runCli(["__manual"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Record<string, string>;
}

describe("the manual", () => {
  it("has a page of meshroll and one of each command, with each of its options", async () => {
    const pages = await readPages();
    const names = [...(await runCli(["help"])).stdout.matchAll(/^ {2}([a-z]+) {2,}/gmu)].map(([, name = ""]) => name);
    expect(Object.keys(pages).toSorted()).toEqual(
      ["meshroll.1", ...names.map((name) => `meshroll-${name}.1`)].toSorted(),
    );
    const { stdout } = await runCli(["help", "rollback"]);
    const page = pages["meshroll-rollback.1"]?.replaceAll("\\-", "-") ?? "";
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gmu)].flatMap(([, flag = ""]) => flag);
    // commander itself adds --help.
    expect(flags.filter((flag) => !page.includes(flag))).toEqual(["--help"]);
  });

  it("no text of the command table is read as a troff request", () => {
    const program = new Command("meshroll");
    program.command("x").summary(".so /etc/passwd").description("a\\fBb\n.br");
    const page = writeManual(program, "1.0.0")["meshroll-x.1"] ?? "";
    expect(page).toContain("x \\- \\&.so /etc/passwd");
    expect(page).toContain("a\\efBb .br");
  });
});
