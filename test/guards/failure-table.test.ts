import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { runCli } from "../run-cli.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/explanation/failure.md", import.meta.url)), "utf8");
const commands = [...new Set([...page.matchAll(/`meshroll ([^`]+)`/g)].map((match) => match[1] ?? ""))];

/** What is wrong with a command of the page: a verb or an option that the command line does not have. */
async function findWrong(command: string): Promise<readonly string[]> {
  const words = command.split(" ");
  const verb = words.slice(0, words[0] === "ledger" ? 2 : 1);
  const help = await runCli([...verb, "--help"]);
  if (!help.stdout.startsWith(`Usage: meshroll ${verb[0]} `)) return [`there is no ${verb.join(" ")}`];
  const options = words.filter((word) => word.startsWith("--"));
  return options
    .filter((option) => !help.stdout.includes(option))
    .map((option) => `${verb.join(" ")} has no ${option}`);
}

describe("docs/explanation/failure.md", () => {
  it("names commands to type", () => expect(commands.length).toBeGreaterThan(5));

  it.each(commands)("meshroll %s is a command", async (command) => {
    expect(await findWrong(command)).toEqual([]);
  });

  const cases = [
    { command: "stop all", want: ["there is no stop"] },
    { command: 'pause all --cause "…"', want: ["pause has no --cause"] },
  ];
  it.each(cases)("the check judges meshroll $command", async ({ command, want }) => {
    expect(await findWrong(command)).toEqual(want);
  });
});
