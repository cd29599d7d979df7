import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { isSent } from "./docker-context.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** One stage, laid out below a folder of its own. */
export interface Stage {
  readonly name: string;
  readonly root: string;
  workdir: string;
  /** RUN lines that were not run, as they need root or a Debian of their own. */
  readonly left: string[];
}

const fromFlag = "--from=";

function findBase(stages: readonly Stage[], from: string): string {
  const stage = stages.find(({ name }) => name === from);
  if (stage === undefined) throw new Error(`no stage is named ${from}`);
  return stage.root;
}

/** As Docker does: a folder's content is copied to the target, a file also into a target with a trailing slash. */
function findTarget(source: string, target: string): string {
  return target.endsWith("/") && !statSync(source).isDirectory() ? join(target, basename(source)) : target;
}

function copy(stages: readonly Stage[], stage: Stage, words: readonly string[]): void {
  const paths = words.filter((word) => !word.startsWith(fromFlag));
  const from = words.find((word) => word.startsWith(fromFlag))?.slice(fromFlag.length);
  const base = from === undefined ? root : findBase(stages, from);
  const isKept = (path: string): boolean => from !== undefined || path === root || isSent(relative(root, path));
  for (const source of paths.slice(0, -1)) {
    const to = join(stage.root, stage.workdir, findTarget(join(base, source), paths.at(-1) ?? ""));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(base, source), to, { recursive: true, filter: isKept, verbatimSymlinks: true });
  }
}

function runStep(stage: Stage, command: string): void {
  if (!/^(?:npm|node) /.test(command)) return void stage.left.push(command);
  // Without this checkout's packages, and without the variables that npm sets for scripts.
  const path = [dirname(process.execPath), ...(process.env["PATH"] ?? "").split(delimiter)];
  const own = path.filter((each) => !each.includes("node_modules/.bin") || each === dirname(process.execPath));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const cwd = join(stage.root, stage.workdir);
  const done = spawnSync("sh", ["-c", command], { cwd, env: { ...env, PATH: own.join(delimiter) }, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`RUN ${command}: ${done.stderr}${done.stdout}`);
}

/**
 * Plays the Dockerfile without a container engine: each stage in an empty folder, COPY restricted by .dockerignore, and RUN
 * lines of npm and node.
 */
export function playDockerfile(folder: string): readonly Stage[] {
  const text = readFileSync(join(root, "Dockerfile"), "utf8").replaceAll("\\\n", " ");
  const stages: Stage[] = [];
  for (const line of text.split("\n").filter((each) => /^[A-Z]+ /.test(each))) {
    const [instruction = "", ...words] = line.split(/ +/);
    const stage = stages.at(-1);
    if (instruction === "FROM") {
      const name = words[2] ?? "last";
      stages.push({ name, root: join(folder, name), workdir: "/", left: [] });
      mkdirSync(join(folder, name), { recursive: true });
    } else if (stage === undefined) throw new Error(`${line} comes before FROM`);
    else if (instruction === "WORKDIR") {
      stage.workdir = words[0] ?? "/";
      mkdirSync(join(stage.root, stage.workdir), { recursive: true });
    } else if (instruction === "COPY") copy(stages, stage, words);
    else if (instruction === "RUN") runStep(stage, words.join(" "));
  }
  return stages;
}
