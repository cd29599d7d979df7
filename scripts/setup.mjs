// The first step of both README commands, in plain JavaScript without dependencies: it must run on the oldest Node
// we allow (20), on a bare clone, before anything is installed. Alone it installs; given a TypeScript entry it then
// runs that entry on a Node that can (>= 22.19): this one, or the one that came with the packages.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");

/** npm writes node_modules/.package-lock.json last: older than our lock (or absent) means stale or half installed. */
function isInstalled() {
  const installed = join(root, "node_modules", ".package-lock.json");
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs;
}

/** Names the process that installs: two commands in two terminals would take each other's packages away. */
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

/** Writes our process into the lock, unless it names another one. */
function takeLock() {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

/** What the lock names, or nothing: it is being written, or was just removed. */
function readLock(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return "";
  }
}

/** Takes the lock of a killed process away; another one that looked at the same moment may have its own there by now. */
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

/** Waits for the one that installs; the lock of one that was killed does not count. */
function waitForLock() {
  const named = new Set();
  while (!takeLock()) {
    const text = readLock(lock);
    if (text !== "" && !isAlive(Number(text))) dropLock(text);
    else if (text !== "" && !named.has(text)) {
      named.add(text);
      // The way out where the system gave the number of a killed one to another process.
      const wayOut = `if it does not, remove ${lock}`;
      process.stderr.write(`meshroll: process ${text} installs the dependencies; waiting for it (${wayOut}) ...\n`);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
}

/** Installs exactly what the lock file of npm says, unless that is done; ends the process with the reason when it cannot. */
export function install() {
  if (isInstalled()) return;
  waitForLock();
  const release = () => rmSync(lock, { force: true });
  process.once("exit", release);
  // Else the one that was waited for did it.
  if (!isInstalled()) installAll();
  process.off("exit", release);
  release();
}

function installAll() {
  process.stderr.write("meshroll: installing dependencies (once, about half a minute) ...\n");
  // What the user's npm settings leave out (NODE_ENV=production, omit=optional) is what we are about to run.
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

/** True for a Node that strips types and runs our dependencies: they leave out 23, which never had long-term support. */
function canRunTypeScript(version) {
  const [major, minor] = version.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 19);
}

/** This Node, or the packaged one next to it; ends the process with the command that fixes it when there is neither. */
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

/** Hands over to `entry`: same terminal, same signals, same exit code. */
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
  // A terminal's Ctrl-C reaches the child by itself; forwarding it too would look like a second, impatient one.
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
  // What serves the page, and what tests it, is started by one of these: a hash of its files, and a second when they changed.
  if (entry !== undefined) await (await import("./page/build-page.mjs")).buildPage();
  if (entry !== undefined) start(entry, args);
}
