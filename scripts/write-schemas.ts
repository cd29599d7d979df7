import { writeFileSync } from "node:fs";

import { jsonSchemas } from "#libs/campaign";

// Writes schema/*.json from the readers of libs/campaign; a test there fails while they differ. Run `npm run format`
// afterwards.
for (const [name, schema] of Object.entries(jsonSchemas)) {
  writeFileSync(new URL(`../schema/${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
