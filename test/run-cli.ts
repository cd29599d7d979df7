import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";

import { onTestFinished } from "vitest";

import { run } from "../cli/run.ts";

/** What a command line did. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Call {
  /** Text, or chunks as a pipe would deliver them. */
  readonly stdin?: string | readonly (string | Uint8Array)[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
}

class Collected extends Writable {
  readonly isTTY: boolean;
  text = "";
  constructor(isTTY: boolean) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
  }
  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

/** Runs one command line in this process. */
export async function runCli(args: readonly string[], call: Call = {}): Promise<Outcome> {
  const { stdin = "", cwd = tmpdir(), env = {}, isTTY = false } = call;
  const chunks = (typeof stdin === "string" ? [stdin] : stdin).map((chunk) => Buffer.from(chunk));
  const stdout = new Collected(isTTY);
  const stderr = new Collected(isTTY);
  const code = await run(args, { stdin: Readable.from(chunks), stdout, stderr, cwd, env });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** A directory with these files, gone when the test ends. */
export function makeFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
