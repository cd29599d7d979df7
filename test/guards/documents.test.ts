import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = ["docs/tutorial", "docs/how-to"];
const documents = [
  "README.md",
  ...folders.flatMap((folder) => readdirSync(`${root}/${folder}`).map((name) => `${folder}/${name}`)),
];

interface Sample {
  readonly path: string;
  readonly command: string;
  readonly output: string;
}

/** Every `$ command` in a `console` block of a document, with what the document says it prints. */
function readSamples(path: string): readonly Sample[] {
  const text = readFileSync(`${root}/${path}`, "utf8");
  const blocks = [...text.matchAll(/^```console\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
  return blocks.flatMap((block) =>
    block.split(/^\$ /m).flatMap((part) => {
      const [command = "", ...lines] = part.split("\n");
      return command === "" ? [] : [{ path, command, output: trimLines(lines.join("\n")) }];
    }),
  );
}

/** Blanks at the end of a line cannot be seen, and the formatter takes them out of a document. */
function trimLines(text: string): string {
  return text.replace(/[ \t]+$/gm, "").trimEnd();
}

/** Runs a command of a document in the checkout, as a reader would, with the launcher in place of npx. */
function run(command: string): string {
  const launcher = `npx() { shift; "${process.execPath}" bin/meshroll.mjs "$@"; }`;
  const env = { ...process.env, NO_COLOR: "1", COLUMNS: "80" };
  const done = spawnSync("bash", ["-c", `${launcher}\nexec 2>&1\n${command}`], { cwd: root, encoding: "utf8", env });
  return trimLines(done.stdout);
}

const samples = documents.flatMap(readSamples);

describe("documents print what the program prints", () => {
  it("there is something to compare", () => expect(samples.length).toBeGreaterThan(5));

  it.each(samples)("$path: $command", ({ command, output }) => expect(run(command)).toBe(output));
});
