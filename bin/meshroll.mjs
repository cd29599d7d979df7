#!/usr/bin/env node
// The CLI's launcher: plain JavaScript, so that the system's Node (>= 20) can start it on a bare clone.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const setup = new URL("../scripts/setup.mjs", import.meta.url);
if (existsSync(setup)) {
  const { install, start } = await import(setup);
  install();
  start("cli/main.ts", process.argv.slice(2));
} else {
  // `npm pack`, or `npm install` of the git repository: no Node runs TypeScript below node_modules, so it holds this file alone.
  const at = dirname(dirname(fileURLToPath(import.meta.url)));
  process.stderr.write(`meshroll: ${join(at, "package.json")} is of meshroll's sources, not of its package\n`);
  process.stderr.write("  make the package in a checkout:  npm run package\n");
  process.stderr.write("  then install what it wrote:      npm install --global dist/meshroll-VERSION.tgz\n");
  process.exitCode = 78;
}
