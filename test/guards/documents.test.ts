import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

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

/** Every `$ command` in a `console` block of a document, with the output that the document shows. */
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

/** The formatter removes blanks at line ends from documents, so they are not compared. */
function trimLines(text: string): string {
  return text.replace(/[ \t]+$/gm, "").trimEnd();
}

/** A repository as a reader has it: the pages' `rollouts.yml`, a campaign and a saved fleet. */
function makeOwnFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-reader-"));
  const copy = (from: string, to: string) => cpSync(join(root, "test/fixtures", from), join(folder, to));
  mkdirSync(join(folder, "campaigns"));
  copy("campaigns/rollouts.yml", "rollouts.yml");
  copy("campaigns/istio-1-25.yml", "campaigns/istio-1-25.yml");
  copy("fleet/six-clusters.json", "fleet.json");
  return folder;
}

const own = makeOwnFolder();
afterAll(() => rmSync(own, { recursive: true, force: true }));

/** Runs a command as a reader would: those of a how-to in their own repository, others in the checkout. */
function run({ path, command }: Sample): string {
  const launcher = join(root, "bin", "meshroll.mjs");
  const start = `meshroll() { "${process.execPath}" "${launcher}" "$@"; }; npx() { "$@"; }`;
  const env = { ...process.env, NO_COLOR: "1", COLUMNS: "80" };
  const cwd = path.startsWith("docs/how-to/") ? own : root;
  const done = spawnSync("bash", ["-c", `${start}\nexec 2>&1\n${command}`], { cwd, encoding: "utf8", env });
  return trimLines(done.stdout);
}

const samples = documents.flatMap(readSamples);

describe("documents print what the program prints", () => {
  it("there are samples to compare", () => expect(samples.length).toBeGreaterThan(5));

  it.each(samples)("$path: $command", (sample) => expect(run(sample)).toBe(sample.output));
});
