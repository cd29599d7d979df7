import { findGitea, startGitea } from "#sandbox/gitea";

import { ProgramsMissing } from "../../scripts/go/go-tools.ts";

// `npm run test:forge`: pull requests, a campaign of a small fleet and that of the demo, on a real Gitea. Gitea is compiled first where
// it is missing, outside of any test's time limit. Exits with 3 and a message where it is not available: neither passed nor failed.

const skippedCode = 3;
const log = (line: string) => void process.stderr.write(`meshroll: ${line}\n`);

try {
  const server = await startGitea(await findGitea({ env: process.env, log }));
  await server.close();
  process.stdout.write(`gitea ${server.version}\n`);
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error;
  log(`SKIPPED: nothing of this suite was run\n${error.message}`);
  process.exit(skippedCode);
}
process.argv.push("--config", "test/forge/vitest.config.ts");
await import("../run.ts");
