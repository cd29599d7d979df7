import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { readConnection, removeConnection } from "./connection.ts";
import { createPicture } from "./follow-run.ts";
import { approveAndMerge } from "./people.ts";
import { runDemo } from "./run-demo.ts";
import { startWorld } from "./start-world.ts";

const folder = join(fileURLToPath(new URL("../..", import.meta.url)), ".demo");
/** One minute of the cluster's time passes in a second. */
const factor = 60;

const { values: flags, positionals } = parseArgs({
  options: { yes: { type: "boolean", default: false } },
  allowPositionals: true,
});

/** `npm run demo -- merge`, in another terminal: what a reviewer would do on GitHub. */
async function mergeFromOutside(): Promise<void> {
  if (!existsSync(join(folder, "connection.json"))) throw new Error("no demo runs here: start one with  npm run demo");
  const { githubUrl, repoUrl } = readConnection(folder);
  const sha = await approveAndMerge({ url: githubUrl, gitUrl: repoUrl, folder });
  process.stdout.write(`✔ approved by ben and merged as ${sha.slice(0, 12)}\n`);
}

/** Starts everything, runs the scenario, and leaves only .demo/rollouts.git and the logs behind. */
async function play(): Promise<number> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
  }
  const picture = createPicture(process.stdout);
  const world = await startWorld({ folder, factor, namespaces: 118, log: (line) => picture.say(`  ${line}`) });
  try {
    return (await runDemo(world, picture, { yes: flags.yes, signal: stop.signal })) ? 0 : 1;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    picture.say("\nstopped; nothing runs any more. The repository stays at .demo/rollouts.git");
    return 130;
  } finally {
    removeConnection(folder);
    await world.stop();
  }
}

try {
  if (positionals[0] === "merge") await mergeFromOutside();
  else process.exitCode = await play();
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
