import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

import { writeFish } from "../../completion/fish.ts";
import { writeZsh } from "../../completion/zsh.ts";

const known = ["istio-1-25", "run/0123456789ab", "prod-25", "stage=prod-25=Baked", "stage=prod-5=Held"];
/** A stand-in for meshroll at a prompt: prints values, and with how many arguments it was called. */
const stub = `meshroll() { [[ "$1" == __complete ]] && printf '%s\\n' ${known.join(" ")} "asked:$#"; }`;

/** What bash completes for the last word of a line; it splits words at `=`, too. */
function complete(script: string, line: string): readonly string[] {
  const folder = makeFolder({ "completion.bash": `${stub}\n${script}`, "rollouts.yml": "", "rollback.txt": "" });
  const words = line.split(/ |(?<==)|(?==)/u);
  const quoted = words.map((word) => JSON.stringify(word)).join(" ");
  const asked = `source ${join(folder, "completion.bash")}; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _meshroll
printf '%s\\n' "\${COMPREPLY[@]}"`;
  // With a socket as its input bash takes itself for a remote shell, and reads the machine's start-up files.
  const done = spawnSync("bash", ["--norc", "-uc", asked], { cwd: folder, encoding: "utf8" });
  expect(done.stderr).toBe("");
  return done.stdout.split("\n").filter((word) => word !== "");
}

async function print(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(["completion", shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("meshroll completion", () => {
  const lines: readonly { readonly line: string; readonly want: readonly string[] }[] = [
    { line: "meshroll ro", want: ["rollback"] },
    { line: "meshroll un", want: ["unpin", "unhold"] },
    { line: "meshroll validate -o ", want: ["human", "json", "github", "yaml", "jsonpath="] },
    { line: "meshroll validate --output js", want: ["json", "jsonpath="] },
    { line: "meshroll validate rollo", want: ["rollouts.yml"] },
    { line: "meshroll validate --outp", want: ["--output"] },
    { line: "meshroll explain --file rollo", want: ["rollouts.yml"] },
    { line: "meshroll pause --dry", want: ["--dry-run"] },
    { line: "meshroll pause all --dry", want: ["--dry-run"] },
    { line: "meshroll help exit", want: ["exit-codes"] },
    { line: "meshroll completion z", want: ["zsh"] },
    { line: "meshroll nonsense ", want: [] },
    { line: "meshroll status is", want: ["istio-1-25"] },
    { line: "meshroll history run", want: ["run/0123456789ab"] },
    { line: "meshroll plan --to prod", want: ["prod-25"] },
    { line: "meshroll plan x --to as", want: ["asked:5"] },
    { line: "meshroll get sta", want: ["stages"] },
    { line: "meshroll get stages is", want: ["istio-1-25"] },
    { line: "meshroll wait x --for stage=prod-2", want: ["prod-25=Baked"] },
    { line: "meshroll wait x --for stage=prod-5=", want: ["Held"] },
  ];
  it("bash completes from the command table", async () => {
    const script = await print("bash");
    expect(lines.map(({ line }) => ({ line, want: complete(script, line) }))).toEqual(lines);
  });

  it.each(["bash", "zsh", "fish", "powershell"])("%s knows every command and every option", async (shell) => {
    const script = await print(shell);
    const names = [...(await runCli(["help"])).stdout.matchAll(/^ {2}([a-z]+) {2,}/gmu)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) {
      expect(script).toContain(name);
      const { stdout } = await runCli(["help", name]);
      for (const [, flag = ""] of stdout.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gmu)) expect(script).toContain(flag);
    }
  });

  it("apostrophes in descriptions are escaped", async () => {
    const description = "the planner's log";
    const option = { flags: ["--log"], description, takesValue: false, choices: [], requests: false };
    const shape = { name: "show", summary: description, options: [option], words: [], files: false, requests: false };
    const [zsh, fish] = [writeZsh([shape], "meshroll"), writeFish([shape], "meshroll")];
    expect(zsh).toContain(String.raw`'show:the planner'\''s log'`);
    expect(zsh).toContain(String.raw`'--log[the planner'\''s log]'`);
    expect(fish.match(/'the planner\\'s log'/gu)).toHaveLength(2);
    expect(zsh + fish).not.toMatch(/planner's/u);
  });

  it.each(["bash", "zsh", "fish", "powershell"])(
    "%s: --as registers that name, and refuses what is not a plain name",
    async (shell) => {
      const { code, stdout } = await runCli(["completion", shell, "--as", "mr"]);
      const registered = { bash: "complete -F _meshroll mr", zsh: "compdef _meshroll mr", fish: "complete -c mr -f" };
      const wanted: Readonly<Record<string, string>> = { ...registered, powershell: "-CommandName mr " };
      expect({ code, text: stdout }).toEqual({
        code: 0,
        text: expect.stringContaining(wanted[shell] ?? "?") as string,
      });
      expect((await runCli(["completion", shell, "--as", "a;b"])).code).toBe(64);
    },
  );

  it("refuses another shell with 64", async () => {
    expect(await runCli(["completion", "tcsh"])).toMatchObject({ code: 64, stdout: "" });
  });
});

describe("help", () => {
  it("every line of every help text fits 80 columns, however wide the terminal is", async () => {
    const { stdout } = await runCli(["help"]);
    const names = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gmu)].map(([, name = ""]) => name);
    const topics = /Topics: (.*)\./u.exec(stdout)?.[1]?.split(", ") ?? [];
    expect(topics).toEqual(["exit-codes", "environment", "formatting", "patterns", "windows"]);
    const texts = await Promise.all([...names, ...topics].map(async (name) => runCli(["help", name], { isTTY: true })));
    const lines = [stdout, ...texts.map((text) => text.stdout)].flatMap((text) => text.split("\n"));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(texts.map(({ code }) => code)).toEqual(texts.map(() => 0));
  });
});
