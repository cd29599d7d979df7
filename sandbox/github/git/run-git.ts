import { spawn } from "node:child_process";
import { once } from "node:events";

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitInput {
  readonly input?: Buffer | string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The settings of this machine's user must not affect the sandbox's repository. */
export function buildGitEnvironment(extra: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_LITERAL_PATHSPECS: "1",
    LC_ALL: "C",
    ...extra,
  };
}

/** Runs git in a repository; the caller checks the exit code. */
export async function runGit(
  repoPath: string,
  args: readonly string[],
  { input, env }: GitInput = {},
): Promise<GitResult> {
  const child = spawn("git", [...args], { env: buildGitEnvironment({ GIT_DIR: repoPath, ...env }) });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // If git ends without reading its input, its exit code says why.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [code] = await once(child, "close");
  return { code: Number(code), stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
}
