import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { buildPackage } from "./build-package.ts";
import { agentFile } from "./manifest.ts";

// Writes the npm package into dist/package, and the tarball for `npm publish` and `npm install` into dist. Prints
// the sha256 of the agent's file, and the tarball's name last.
const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const folder = `${dist}/package`;
const { agent } = await buildPackage(folder);
console.log(`${agent}  ${agentFile}`);
const { status } = spawnSync("npm", ["pack", folder, "--pack-destination", dist], { stdio: ["ignore", 1, "inherit"] });
process.exitCode = status ?? 1;
