// The first step of both README commands, in plain JavaScript without dependencies: it must run on the oldest Node we allow
// (20), on a bare clone, before anything is installed. Without arguments it installs; given a TypeScript entry it also runs
// that entry, on this Node if it is new enough (>= 22.19), else on the one from the packages.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");

/**
 * npm writes node_modules/.package-lock.json last: when it is absent or older than our lock, the installation is stale or
 * partial.
 */
function isInstalled() {
  const installed = join(root, "node_modules", ".package-lock.json");
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs;
}

/** Holds the pid of the process that installs: two commands in two terminals would delete each other's packages. */
const lock = join(root, ".installing");
const pollMs = 200;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Creates the lock with our pid; false when there is one. */
function takeLock() {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

/** The pid in the lock; empty while it is being written or after it was removed. */
function readLock(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return "";
  }
}

/**
 * Removes the lock of a killed process. Between reading and renaming, another process may have done this and taken the lock
 * itself; then its lock is put back.
 */
function dropLock(text) {
  const dropped = `${lock}.${process.pid}`;
  try {
    renameSync(lock, dropped);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return;
  }
  if (readLock(dropped) === text) rmSync(dropped);
  else renameSync(dropped, lock);
}

/** Waits until this process has the lock; the lock of a killed process is removed. */
function waitForLock() {
  const announced = new Set();
  while (!takeLock()) {
    const text = readLock(lock);
    if (text !== "" && !isAlive(Number(text))) dropLock(text);
    else if (text !== "" && !announced.has(text)) {
      announced.add(text);
      // For the case that the system gave the pid of a killed process to another one.
      const wayOut = `if it does not, remove ${lock}`;
      process.stderr.write(`meshroll: process ${text} installs the dependencies; waiting for it (${wayOut}) ...\n`);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
}

/** Installs what package-lock.json says, unless that is done; exits with 1 when it cannot. */
export function install() {
  if (isInstalled()) return;
  waitForLock();
  const release = () => rmSync(lock, { force: true });
  process.once("exit", release);
  // Another process may have installed while this one waited.
  if (!isInstalled()) installAll();
  process.off("exit", release);
  release();
}

function installAll() {
  process.stderr.write("meshroll: installing dependencies (once, about half a minute) ...\n");
  // The user's npm settings (NODE_ENV=production, omit=optional) would leave out what we are about to run.
  const all = ["--include=dev", "--include=optional"];
  const done = spawnSync("npm", ["ci", ...all, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (done.status === 0) return;
  process.stderr.write(`meshroll: npm ci failed${done.error ? ` (${done.error.message})` : ""}\n`);
  process.stderr.write("  fix what npm says above, then run the same command again\n");
  process.exit(1);
}

/** True for a Node that strips types and runs our dependencies, which exclude 23, as it never had long-term support. */
function canRunTypeScript(version) {
  const [major, minor] = version.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 19);
}

/** This Node, or the one from the packages; exits with 1 when neither can run TypeScript. */
function pickNode() {
  if (canRunTypeScript(process.versions.node)) return process.execPath;
  const packaged = join(bin, "node");
  if (existsSync(packaged)) return packaged;
  process.stderr.write(
    `meshroll: Node ${process.versions.node} cannot run this, and no packaged Node exists for this platform\n`,
  );
  process.stderr.write("  install Node 24 and run the same command again\n");
  process.exit(1);
}

/** Runs `entry` as a child with the same terminal, signals and exit code. */
export function start(entry, args) {
  const node = pickNode();
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", join(root, entry), ...args], {
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: bin + delimiter + process.env.PATH,
      NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
    },
  });
  // Ctrl-C in a terminal reaches the child by itself; forwarding it too would count as a second Ctrl-C.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`meshroll: cannot start ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [entry, ...args] = process.argv.slice(2);
  install();
  // The api serves the page, so it is built before any entry starts; unchanged files cost only a hash.
  if (entry !== undefined) await (await import("./page/build-page.mjs")).buildPage();
  if (entry !== undefined) start(entry, args);
}
