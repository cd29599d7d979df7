import { spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Installed } from "../install-package.ts";
import { makePath } from "../install-package.ts";

export interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A person with a shell, an empty folder, the installed package and nothing of this checkout. */
export class Reader {
  readonly folder: string;
  /** The environment; each typed `export` adds to it. */
  readonly env: Record<string, string>;
  readonly #running = new Set<() => Promise<number | null>>();

  constructor(installed: Installed, env: Readonly<Record<string, string>> = {}) {
    this.folder = mkdtempSync(join(installed.folder, "ein Leser "));
    mkdirSync(join(this.folder, ".kube"));
    // The author that GitHub knows: commits of unknown authors need one more approval.
    const who = "[user]\n  name = ana\n  email = ana@users.noreply.github.com\n";
    writeFileSync(join(this.folder, ".gitconfig"), who);
    const path = makePath(installed, process.versions.node);
    this.env = { HOME: this.folder, USER: "ana", PATH: path, NO_COLOR: "1", LANG: "C.UTF-8", ...env };
  }

  /** Runs one command. Not by a blocking call, as this process serves what the command talks to. */
  async type(command: string, env: Readonly<Record<string, string>> = {}): Promise<Output> {
    const child = spawn("bash", ["-c", command], {
      cwd: this.folder,
      env: { ...this.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // A command that hangs must fail the test instead of blocking it.
      timeout: 120_000,
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { code, stdout, stderr };
  }

  /** Runs a command of a page and returns stdout. Throws when it fails, or when a verb recorded nothing. */
  async do(command: string): Promise<string> {
    const { code, stdout, stderr } = await this.type(command);
    // A verb that found nothing to do exits with 0.
    const isVerb = /^meshroll (?:pause|resume|hold|unhold|retry|rollback) /u.test(command);
    if (code === 0 && (!isVerb || stdout.includes("✔ recorded"))) return stdout;
    throw new Error(`$ ${command}\nended with ${code} and said:\n${stdout}${stderr}`);
  }

  /** Starts a long-running command; the returned function sends SIGINT and returns the exit code. */
  begin(command: string): () => Promise<number | null> {
    const log = openSync(join(this.folder, "services.log"), "a");
    const child = spawn("bash", ["-c", `exec env ${command}`], {
      cwd: this.folder,
      env: this.env,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const end = async (): Promise<number | null> => {
      child.kill("SIGINT");
      return ended;
    };
    this.#running.add(end);
    return end;
  }

  async leave(): Promise<void> {
    await Promise.all([...this.#running].map(async (end) => end()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
