import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { buildPackage } from "./build-package.ts";

// Writes the npm package into dist/package, and the tarball for `npm publish` and `npm install` into dist.
const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const folder = `${dist}/package`;
await buildPackage(folder);
const { status } = spawnSync("npm", ["pack", folder, "--pack-destination", dist], { stdio: ["ignore", 1, "inherit"] });
process.exitCode = status ?? 1;
