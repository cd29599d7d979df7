import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

/** Replaces npm: takes a moment, logs when two run at once, and writes the file that npm writes last. */
const npm = `#!/bin/sh
mkdir busy || echo overlap >>npm.log
echo install >>npm.log
sleep 0.3
mkdir -p node_modules && touch node_modules/.package-lock.json
rmdir busy
`;

/** A folder with the files that scripts/setup.mjs needs. */
function makeCheckout() {
  const folder = mkdtempSync(join(tmpdir(), "meshroll setup ü-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["scripts", "bin"]) mkdirSync(join(folder, name));
  cpSync(join(import.meta.dirname, "setup.mjs"), join(folder, "scripts", "setup.mjs"));
  writeFileSync(join(folder, "package-lock.json"), "{}");
  writeFileSync(join(folder, "bin", "npm"), npm);
  chmodSync(join(folder, "bin", "npm"), 0o755);
  const env = { ...process.env, PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}` };
  const setUp = async () => promisify(execFile)(process.execPath, ["scripts/setup.mjs"], { cwd: folder, env });
  return { folder, setUp, readLog: () => readFileSync(join(folder, "npm.log"), "utf8") };
}

it("of commands that start at once in a new clone only one installs", async () => {
  const { setUp, readLog } = makeCheckout();
  const all = await Promise.all(Array.from({ length: 4 }, setUp));
  expect(readLog()).toBe("install\n");
  expect(all.filter(({ stderr }) => stderr.includes("installing dependencies"))).toHaveLength(1);
});

it("the lock of a killed process is removed", async () => {
  const { folder, setUp, readLog } = makeCheckout();
  const gone = execFile(process.execPath, ["-e", "0"]);
  await new Promise((resolve) => gone.once("exit", resolve));
  writeFileSync(join(folder, ".installing"), String(gone.pid));
  await Promise.all([setUp(), setUp()]);
  expect(readLog()).toBe("install\n");
});
