import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { makeFolder, runCli } from "#test/run-cli";

const page = readFileSync(new URL("../docs/reference/cli.md", import.meta.url), "utf8");

function listBlocks(language: string): readonly string[] {
  const blocks = page.matchAll(/^```(\w+)\n([^]*?)^```$/gm);
  return Array.from(blocks).flatMap(([, name, text = ""]) => (name === language ? [text] : []));
}

describe("docs/reference/cli.md", () => {
  const samples = listBlocks("console").map((block) => {
    const [command = "", ...output] = block.split("\n");
    return { command, output: output.join("\n") };
  });

  it.each(samples)("shows what `$command` prints", async ({ command, output }) => {
    const [rollouts = "", wrong = ""] = listBlocks("yaml");
    const cwd = makeFolder({ "rollouts.yml": rollouts, "wrong.yml": wrong });
    const { stdout, stderr } = await runCli(command.replace("$ meshroll ", "").split(" "), { cwd });
    expect(stdout + stderr).toBe(output);
  });

  it("has a section for every command", async () => {
    const { stdout } = await runCli(["help"], { cwd: makeFolder({}) });
    const commands = [...(stdout.split("Commands:")[1]?.matchAll(/^ {2}(\w+) /gm) ?? [])].map(([, name]) => name);
    const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(5);
    expect(sections).toEqual(expect.arrayContaining(commands));
  });

  it("has samples of every offline command that prints data", () => {
    for (const name of ["validate", "assign", "explain"]) {
      expect(samples.filter(({ command }) => command.startsWith(`$ meshroll ${name}`)).length).toBeGreaterThan(1);
    }
  });
});
