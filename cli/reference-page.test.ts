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

  it("has samples of every command that prints data", () => {
    for (const name of ["validate", "assign", "explain"]) {
      expect(samples.filter(({ command }) => command.startsWith(`$ meshroll ${name}`)).length).toBeGreaterThan(1);
    }
  });
});
