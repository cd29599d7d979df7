import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { findFreePort } from "../../scripts/brokers/free-port.ts";
import { startGuard } from "../../scripts/brokers/own-process.ts";
import { type Account, findAccount } from "./account.ts";
import type { GiteaProgram } from "./build-gitea.ts";
import { writeSettings } from "./settings.ts";

/** A Gitea on loopback, with its own folder, which is removed with it. */
export interface GiteaServer {
  readonly url: string;
  readonly version: string;
  readonly folder: string;
  readonly admin: { readonly login: string; readonly password: string };
  close(): Promise<void>;
}

/** Copies the program, because an ordinary user cannot read below root's home. */
function placeProgram(program: GiteaProgram, folder: string): { readonly path: string; readonly statics?: string } {
  const path = join(folder, "gitea");
  copyFileSync(program.path, path);
  if (program.statics === undefined) return { path };
  const statics = join(folder, "statics");
  cpSync(program.statics, statics, { recursive: true });
  return { path, statics };
}

function giveTo(folder: string, account: Account | undefined): void {
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
}

async function requestVersion(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/api/v1/version`, { signal: AbortSignal.timeout(2000) });
    return response.ok ? ((await response.json()) as { readonly version: string }).version : undefined;
  } catch {
    return undefined;
  }
}

async function untilReady(url: string, hasEnded: () => boolean, log: () => string): Promise<string> {
  const end = Date.now() + 120_000;
  for (;;) {
    const version = await requestVersion(url);
    if (version !== undefined) return version;
    if (hasEnded() || Date.now() > end) {
      throw new Error(`Gitea ${hasEnded() ? "ended while it started" : "was not ready within two minutes"}:\n${log()}`);
    }
    await sleep(50);
  }
}

/** Where a Gitea runs, and as whom. */
interface Place {
  readonly folder: string;
  readonly path: string;
  readonly config: string;
  readonly port: number;
  readonly options: {
    readonly env: NodeJS.ProcessEnv;
    readonly cwd: string;
    readonly uid?: number;
    readonly gid?: number;
  };
}

async function prepare(program: GiteaProgram, folder: string): Promise<Place> {
  const account = findAccount();
  giveTo(folder, account);
  const { path, statics } = placeProgram(program, folder);
  for (const name of ["log", "repositories", "custom", "home"]) {
    mkdirSync(join(folder, name));
    giveTo(join(folder, name), account);
  }
  const port = await findFreePort();
  const user = account?.name ?? userInfo().username;
  const config = join(folder, "custom", "app.ini");
  const secret = randomBytes(24).toString("hex");
  writeFileSync(config, writeSettings({ folder, port, user, statics, secret }));
  giveTo(config, account);
  const env = { PATH: process.env["PATH"], HOME: join(folder, "home"), USER: user, GITEA_WORK_DIR: folder };
  const who = account === undefined ? {} : { uid: account.uid, gid: account.gid };
  return { folder, path, config, port, options: { env, cwd: folder, ...who } };
}

/** Makes the database and its administrator. */
function createAdmin({ path, config, options }: Place): GiteaServer["admin"] {
  const admin = { login: "root", password: randomBytes(12).toString("hex") };
  const names = ["--username", admin.login, "--email", "root@example.org", "--password", admin.password];
  execFileSync(path, ["migrate", "--config", config], { ...options, stdio: "ignore" });
  const make = ["admin", "user", "create", "--config", config, "--admin", "--must-change-password=false", ...names];
  execFileSync(path, make, { ...options, stdio: "ignore" });
  return admin;
}

async function serve({ path, config, port, options }: Place) {
  // Ctrl-C at the terminal must not reach it before those who still use it.
  const child = spawn(path, ["web", "--config", config], {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(child, "exit");
  const { pid } = child;
  if (pid === undefined) throw new Error(`${path} could not be started`);
  const guard = startGuard(pid);
  child.once("exit", () => guard.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      said = `${said}${String(chunk)}`.slice(-4000);
    });
  }
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    return {
      url,
      stop,
      version: await untilReady(
        url,
        () => child.exitCode !== null || child.signalCode !== null,
        () => said,
      ),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts Gitea as an ordinary user, because it refuses root. It ends with this process, also when that is killed. */
export async function startGitea(program: GiteaProgram): Promise<GiteaServer> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-gitea-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const place = await prepare(program, folder);
    const admin = createAdmin(place);
    const { url, version, stop } = await serve(place);
    return {
      url,
      version,
      folder,
      admin,
      async close() {
        await stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
