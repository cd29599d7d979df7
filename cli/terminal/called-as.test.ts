import { runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

import { sayCommands } from "./called-as.ts";

const npx = { env: { npm_command: "exec" } };

describe("commands in what is said", () => {
  const texts: readonly { readonly text: string; readonly want: string }[] = [
    { text: "meshroll status", want: "npx meshroll status" },
    { text: "  see what moves:  meshroll status", want: "  see what moves:  npx meshroll status" },
    { text: "run `meshroll validate` there", want: "run `npx meshroll validate` there" },
    { text: "it failed: meshroll get failures x", want: "it failed: npx meshroll get failures x" },
    { text: "a\n    meshroll pin a b", want: "a\n    npx meshroll pin a b" },
    { text: "npx meshroll status", want: "npx meshroll status" },
    { text: "meshroll: nothing was planned", want: "meshroll: nothing was planned" },
    { text: "meshroll plans nothing", want: "meshroll plans nothing" },
    { text: "an entry that meshroll pin did not write", want: "an entry that meshroll pin did not write" },
  ];
  it.each(texts)("$text", ({ text, want }) => {
    expect(sayCommands(text, npx)).toBe(want);
    expect(sayCommands(text, { env: {} })).toBe(text);
  });

  it("knows every command that there is", async () => {
    const { stdout } = await runCli(["help"]);
    const names = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gmu)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) expect(sayCommands(`meshroll ${name}`, npx)).toBe(`npx meshroll ${name}`);
  });

  it("refusals say what to type as they were called", async () => {
    const { stderr } = await runCli(["plan"], { env: npx.env });
    expect(stderr).toContain(
      "\n  npx meshroll plan CAMPAIGN [--to STAGE]\n  npx meshroll plan --from REF [--to REF]\n",
    );
  });
});
