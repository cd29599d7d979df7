import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { bundle } from "./bundle.ts";
import { bundleAgent } from "./bundle-agent.ts";
import { agentFile, commands, type Lock, makeManifest, makeShrinkwrap, type Manifest } from "./manifest.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Files that the program reads at run time, or people read. They keep their paths, as the program finds them relative to
 * itself.
 */
const copied = [
  "README.md",
  "LICENSE",
  "schema",
  "docs/reference/findings.md",
  "docs/reference/meshroll-yml.md",
  "docs/reference/doctor.md",
  "docs/reference/status.md",
  "libs/git/process/limited-git.sh",
  "page/built",
];

/** Builds the page into page/built of the checkout. */
function buildPage(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts", "page", "build-page.mjs")], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the page cannot be built: ${stderr}`);
}

function writeCommands(folder: string): void {
  mkdirSync(join(folder, "bin"));
  cpSync(fileURLToPath(new URL("start.mjs", import.meta.url)), join(folder, "bin", "start.mjs"));
  for (const [name, entry] of Object.entries(commands)) {
    const text = `#!/usr/bin/env node\nimport { start } from "./start.mjs";\n\nawait start("../${entry}");\n`;
    writeFileSync(join(folder, "bin", `${name}.mjs`), text, { mode: 0o755 });
  }
}

/**
 * Writes the output of `--help` into a file: it is the same on every machine, and loading the command line takes longer than
 * starting Node.
 */
function writeHelp(folder: string): void {
  const args = [join(root, "cli", "main.ts"), "--help"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env: { NO_COLOR: "1" } });
  if (status !== 0) throw new Error(`meshroll --help failed: ${stderr}`);
  writeFileSync(join(folder, "bin", "help.txt"), stdout);
}

/** Writes the man pages; returns their paths in the package. npm links them into man's folders. */
function writeManual(folder: string): readonly string[] {
  const args = [join(root, "cli", "main.ts"), "__manual"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the manual cannot be written: ${stderr}`);
  const pages = Object.entries(JSON.parse(stdout) as Readonly<Record<string, string>>);
  mkdirSync(join(folder, "man"));
  for (const [name, page] of pages) writeFileSync(join(folder, "man", name), page);
  return pages.map(([name]) => `man/${name}`);
}

/**
 * Writes the npm package into `folder`, which is emptied first: compiled code in few files, and what is read at run time at the same
 * path as in a checkout. Returns the sha256 of the agent's file.
 */
export async function buildPackage(folder: string): Promise<{ readonly agent: string }> {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), "utf8"));
  const manifest = read("package.json") as Manifest;
  const write = (name: string, value: object): void =>
    writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle(root, folder);
  const agent = await bundleAgent(root, join(folder, agentFile));
  buildPage();
  for (const path of copied) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  writeCommands(folder);
  writeHelp(folder);
  write("package.json", makeManifest(manifest, writeManual(folder)));
  write("npm-shrinkwrap.json", makeShrinkwrap(manifest, read("package-lock.json") as Lock));
  return { agent };
}
