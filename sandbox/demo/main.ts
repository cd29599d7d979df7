import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Clock } from "#libs/runtime";
import { findGitea } from "#sandbox/gitea";

import { ProgramsMissing } from "../../scripts/go/go-tools.ts";
import { type Connection, findConnection, removeConnection } from "./world/connection.ts";
import type { Display } from "./display/display.ts";
import { createJsonLines } from "./display/json-lines.ts";
import { approveAndMerge, joinNames } from "./world/review/approve-and-merge.ts";
import { createPlainLines } from "./display/plain-lines.ts";
import { type DemoCommand, helpText, readOptions } from "./read-options.ts";
import { runDemo } from "./run-demo.ts";
import { createScreen } from "./display/screen.ts";
import type { OpenDemoScm } from "./world/scm/demo-scm.ts";
import { openGitea } from "./world/scm/open-gitea.ts";
import { openGithub } from "./world/scm/open-github.ts";
import { type DemoEnvironment, startEnvironment } from "./world/start-world.ts";

const folder = join(fileURLToPath(new URL("../..", import.meta.url)), ".demo");
/** What it ends with where it could not be played, as a suite of tests that finds nothing to test against. */
const unavailableCode = 3;
/** One minute of the clusters' time passes in a second. */
const factor = 60;

function requireDemo(): Connection {
  const connection = findConnection(folder);
  if (connection === undefined) throw new Error("no demo runs here: start one with  npm run demo");
  return connection;
}

/** Why a demo cannot start, and how to fix it; undefined when it can. */
function findObstacle({ wipe }: DemoCommand): string | undefined {
  const other = findConnection(folder);
  if (other !== undefined)
    return `one runs here already, as process ${other.pid}: end it first (if that is none, remove .demo/connection.json)`;
  const given = ["REDIS_URL", "NATS_URL"].filter((name) => (process.env[name] ?? "") !== "");
  if (wipe && given.length > 0) return `--wipe never touches servers that others run: unset ${given.join(" and ")}`;
  return undefined;
}

/** `npm run demo -- merge`, in another terminal: what reviewers would do in a browser. */
async function mergeFromOutside(): Promise<void> {
  const { number, sha, reviewers } = await approveAndMerge(requireDemo().scm);
  process.stdout.write(`✔ #${number} approved by ${joinNames(reviewers)} and merged as ${sha.slice(0, 12)}\n`);
}

/** `npm run demo -- fix`: tells the running demo to remove its planted fault. */
function fixFromOutside(): void {
  process.kill(requireDemo().pid, "SIGUSR2");
  process.stdout.write("✔ new proxies get ready again\n");
}

function openDisplay(clock: Clock, { json }: DemoCommand): Display {
  const { stdout, stderr, env } = process;
  if (json) return createJsonLines(stdout, stderr, clock);
  if (!stdout.isTTY || env["TERM"] === "dumb") return createPlainLines(stdout, clock);
  return createScreen({ stdout, colour: (env["NO_COLOR"] ?? "") === "", clock });
}

/**
 * Aborts at a signal, or when the output's reader is gone (`| head`), which is no failure. The returned function tells whether
 * the reader is gone.
 */
function endWhenAsked(stop: AbortController): () => boolean {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
  }
  let isUnread = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      isUnread = true;
      stop.abort(new Error("the output was closed"));
    });
  }
  return () => isUnread;
}

function log(line: string): void {
  process.stderr.write(`  ${line}\n`);
}

/** Throws `ProgramsMissing` where a Gitea is wanted and cannot be had. */
async function chooseScm({ gitea }: DemoCommand): Promise<OpenDemoScm> {
  return gitea ? openGitea(await findGitea({ env: process.env, log })) : openGithub;
}

/** Starts everything, runs the scenario, and leaves only .demo/rollouts.git and the logs behind. */
async function play(command: DemoCommand): Promise<number> {
  const obstacle = findObstacle(command);
  if (obstacle !== undefined) throw new Error(obstacle);
  const { yes, wipe } = command;
  // Before the signals are handled: a compilation ends at once when a person ends it.
  const openScm = await chooseScm(command);
  const stop = new AbortController();
  const isUnread = endWhenAsked(stop);
  let fix = (): void => undefined;
  process.on("SIGUSR2", () => fix());
  const opened: { display?: Display; environment?: DemoEnvironment } = {};
  try {
    const world = { folder, factor, namespaces: 1000, log, openScm };
    const environment = (opened.environment = await startEnvironment(world));
    const display = (opened.display = openDisplay(environment.clock, command));
    const onPlanted = (how: () => void): void => void (fix = how);
    return (await runDemo(environment, display, { yes, wipe, signal: stop.signal, onPlanted })) ? 0 : 1;
  } catch (error) {
    opened.display?.leave();
    if (!stop.signal.aborted) throw error;
    process.stderr.write("\nstopped; nothing runs any more. The repository stays at .demo/rollouts.git\n");
    return isUnread() ? 0 : 130;
  } finally {
    opened.display?.leave();
    removeConnection(folder);
    await opened.environment?.stop();
  }
}

async function main(): Promise<number> {
  const command = readOptions(process.argv.slice(2));
  switch (command.verb) {
    case "help":
      process.stdout.write(helpText);
      return 0;
    case "merge":
      await mergeFromOutside();
      return 0;
    case "fix":
      fixFromOutside();
      return 0;
    case "play":
      return play(command);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof ProgramsMissing ? unavailableCode : 1;
}
