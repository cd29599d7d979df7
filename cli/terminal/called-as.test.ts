import { runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

import { sayCommand, sayCommands } from "./called-as.ts";
import { printSentence, type Sentence } from "./sentence.ts";

const npx = { env: { npm_command: "exec" } };

describe("commands in sentences", () => {
  const sentences: readonly { readonly sentence: Sentence; readonly want: string }[] = [
    { sentence: [{ command: "meshroll status" }], want: "npx meshroll status" },
    { sentence: ["run `", { command: "meshroll validate" }, "` there"], want: "run `npx meshroll validate` there" },
    {
      sentence: [{ command: "meshroll status" }, "  or  ", { command: "meshroll history" }],
      want: "npx meshroll status  or  npx meshroll history",
    },
    { sentence: ["look:  ", { command: "kubectl get pods" }], want: "look:  kubectl get pods" },
    { sentence: "meshroll: nothing was planned", want: "meshroll: nothing was planned" },
    // Plain text is never searched for commands: what an operator wrote stays as it is.
    { sentence: "paused, see:  meshroll status", want: "paused, see:  meshroll status" },
  ];
  it.each(sentences)("$want", ({ sentence, want }) => {
    expect(printSentence(sayCommands(sentence, npx))).toBe(want);
    expect(sayCommands(sentence, { env: {} })).toEqual(sentence);
  });

  it("a command of ours is printed as this one was called", () => {
    expect(sayCommand("meshroll status", { env: { npm_lifecycle_event: "npx" } })).toBe("npx meshroll status");
    expect(sayCommand("meshroll status", { env: {} })).toBe("meshroll status");
  });

  it("refusals print commands as this one was called", async () => {
    const { stderr } = await runCli(["plan"], { env: npx.env });
    expect(stderr).toContain(
      "\n  npx meshroll plan CAMPAIGN [--to STAGE]\n  npx meshroll plan --from REF [--to REF]\n",
    );
  });
});

describe("as a plugin of kubectl", () => {
  const env = { MESHROLL_CALLED_AS: "kubectl meshroll" };

  it("usages and refusals print commands so", async () => {
    const { stderr } = await runCli(["plan"], { env });
    expect(stderr).toContain("\n  kubectl meshroll plan CAMPAIGN [--to STAGE]\n");
    expect((await runCli(["pause"], { env })).stderr).toMatch(
      /usage: kubectl meshroll pause .*\nrun `kubectl meshroll/u,
    );
    expect((await runCli(["help", "status"], { env })).stdout).toMatch(/^Usage: kubectl meshroll status /u);
  });

  it("kubectl's completion gets commands, flags and values, and a directive", async () => {
    const ask = async (...words: readonly string[]) => (await runCli(["__complete-kubectl", ...words])).stdout;
    expect(await ask("un")).toBe("unpin\nunhold\n:4\n");
    expect(await ask("status", "--pla")).toBe("--plain\n:4\n");
    expect(await ask("completion", "z")).toBe("zsh\n:4\n");
    expect(await ask("nonsense", "")).toBe(":4\n");
  });
});
