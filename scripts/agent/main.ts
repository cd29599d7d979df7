import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { bundleAgent } from "../package/bundle-agent.ts";

// `npm run build:agent`: the agent as one file, which needs Node and nothing else. Prints what `sha256sum --check` reads in dist.
const root = fileURLToPath(new URL("../..", import.meta.url));
const name = "meshroll-agent.mjs";
console.log(`${await bundleAgent(root, join(root, "dist", name))}  ${name}`);
