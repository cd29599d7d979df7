import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A git that records how it was called, and then runs. */
export interface GitSpy {
  /** Environment for a process that is to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Every command line so far. */
  read(): string;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function spyOnGit(folder: string): GitSpy {
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const [bin, list] = [join(folder, "spy"), join(folder, "command-lines")];
  mkdirSync(bin);
  writeFileSync(list, "");
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> ${quote(list)}\nexec ${quote(git)} "$@"\n`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  return { env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` }, read: () => readFileSync(list, "utf8") };
}
