import { ProgramsMissing } from "../go/go-tools.ts";
import { startGitea } from "./bed/start-gitea.ts";
import { findGitea } from "./programs/build-gitea.ts";

// `npm run test:forge`: pull requests, and a campaign by them, on a real Gitea. It is compiled first where it is not there yet, so
// that no test's time is spent on it. Exits with 3, and says so, where it cannot be had: that is neither passed nor failed.

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
