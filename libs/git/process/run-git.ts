import { mkdir } from "node:fs/promises";

import { GitError, GitPluginError, type SimpleGit, simpleGit } from "simple-git";

import { AdapterRefused, AdapterUnavailable } from "#libs/runtime";

import { GitOverLimit, GitRefused, GitUnavailable } from "../errors.ts";
import type { Environments } from "./environment.ts";
import { isLoginRefused } from "./login-refused.ts";
import { isOverLimit, limitedGit, limitEnvironment, type ProcessLimits } from "./process-limits.ts";

/** One git process that ended badly. Internal to this folder: `classify` turns it into what the caller must do. */
export class GitFailed extends GitError {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;

  constructor(exitCode: number, stdout: string, stderr: string) {
    super(undefined, stderr.trim() || `git ended with exit code ${exitCode} and said nothing`);
    this.exitCode = exitCode;
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

type Environment = Readonly<Record<string, string>>;

/** Runs one git process and answers its standard output, byte for byte as UTF-8. */
export type RunGit = (args: readonly string[], call?: GitCall) => Promise<string>;

export interface GitCall {
  readonly signal?: AbortSignal;
  /** Written to standard input. */
  readonly input?: Buffer;
  /** Limits of the process; absent: only the time limit of this clone. */
  readonly limits?: ProcessLimits;
  /** Added to the environment of every process of this clone. */
  readonly env?: Environment;
}

function decode(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * Runs `git cat-file` with these options and returns its output as bytes, because contents are delimited by their length in
 * bytes.
 */
export type CatFile = (options: readonly string[], call: GitCall) => Promise<Buffer>;

/** Commands that call the remote: only these get the token. */
const remote: readonly string[] = ["fetch", "push", "ls-remote"];

/** Binds folder, environments and time limit (ms per process). */
export function createRunGit(folder: string, environments: Environments, timeoutMs: number): RunGit {
  const start = createStart(folder, timeoutMs);
  return async (args, call = {}) => {
    const work = async (git: SimpleGit): Promise<string> => git.raw([...args]);
    if (!remote.includes(args[0] ?? "")) return start(environments.local, call, work);
    return startRemote(environments, async (env) => start(env, call, work));
  };
}

/** A token may expire between two calls: a call with a refused token did nothing and is repeated with a new one. */
async function startRemote<T>(environments: Environments, start: (env: Environment) => Promise<T>): Promise<T> {
  const { env, drop } = await giveEnvironment(environments);
  try {
    return await start(env);
  } catch (error) {
    if (drop === undefined || !(error instanceof GitFailed) || !isLoginRefused(error.stderr)) throw error;
    drop();
    return start((await giveEnvironment(environments)).env);
  }
}

/** The source of tokens may be down or refuse; git then has no login. */
async function giveEnvironment(environments: Environments): ReturnType<Environments["forRemote"]> {
  try {
    return await environments.forRemote();
  } catch (error) {
    if (error instanceof AdapterUnavailable) throw new GitUnavailable(error.what, { cause: error });
    if (!(error instanceof AdapterRefused)) throw error;
    throw new GitRefused(error.what, error.fix, { cause: error, refusal: "login" });
  }
}

/** The same for `git cat-file`. */
export function createCatFile(folder: string, { local }: Environments, timeoutMs: number): CatFile {
  const start = createStart(folder, timeoutMs);
  return async (options, call) =>
    start(local, call, async (git) => {
      const bytes: unknown = await git.binaryCatFile([...options]);
      if (!Buffer.isBuffer(bytes)) throw new GitFailed(0, "", "git cat-file answered no bytes");
      return bytes;
    });
}

type Start = <T>(env: Environment, call: GitCall, work: (git: SimpleGit) => Promise<T>) => Promise<T>;

/** Ends a process that prints too much, before this one holds all of it in memory. */
function watchOutput(git: SimpleGit, most: number, end: AbortController): void {
  let left = most;
  git.outputHandler((_command, stdout, stderr) => {
    for (const stream of [stdout, stderr]) {
      stream.on("data", (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) end.abort();
      });
    }
  });
}

/** Why a limited process failed: a limit, or another reason. */
function explainLimited(error: unknown, { timeMs, outputBytes }: ProcessLimits, output: AbortSignal): unknown {
  if (output.aborted)
    return new GitOverLimit("output", `git printed more than ${outputBytes / 1024} KiB`, { cause: error });
  if (!(error instanceof GitFailed)) return error;
  const isKilled = typeof error.exitCode !== "number" || error.exitCode > 128;
  if (error.exitCode === -1)
    return new GitOverLimit("time", `git took longer than ${timeMs / 1000} s`, { cause: error });
  if (!isKilled && !isOverLimit(error.stderr)) return error;
  return new GitOverLimit("room", "git needed more memory, time or room than it gets", { cause: error });
}

/** What ends a process early. */
interface Ends {
  readonly timeMs: number;
  readonly time: AbortSignal;
  readonly output: AbortController;
  readonly signal: AbortSignal;
}

function createEnds({ signal, limits }: GitCall, timeoutMs: number): Ends {
  const timeMs = limits?.timeMs ?? timeoutMs;
  const time = AbortSignal.timeout(timeMs);
  const output = new AbortController();
  const called = signal === undefined ? [] : [signal];
  return { timeMs, time, output, signal: AbortSignal.any([time, output.signal, ...called]) };
}

/** Prepares git for one call; a limited one starts as `sh`, which sets the limits and becomes git. */
function openGit(folder: string, base: Environment, call: GitCall, { signal, output }: Ends): SimpleGit {
  const { input, limits } = call;
  const env = { ...base, ...call.env };
  const used = limits === undefined ? env : limitEnvironment(env, limits);
  const git = simpleGit({
    baseDir: folder,
    abort: signal,
    trimmed: false,
    allowEnvironment: Object.keys(used),
    ...(limits === undefined ? {} : { binary: [...limitedGit] }),
    // simple-git refuses these against hostile input; here they only come from environment.ts.
    unsafe: {
      allowUnsafeConfigEnvCount: true,
      allowUnsafeCustomBinary: true,
      allowUnsafeHooksPath: true,
      allowUnsafeCredentialHelper: true,
      allowUnsafeSshCommand: true,
      allowUnsafeExec: true,
      allowUnsafeTemplateDir: true,
    },
    ...(input === undefined ? {} : { input: () => input }),
    // simple-git takes a bad exit without a message for success (a lost `merge-tree` conflict, a killed helper).
    errors: (error, { exitCode, stdOut, stdErr }) => {
      // Aborted or refused by simple-git itself; other errors are its own reading of standard error.
      if (error instanceof GitPluginError) return error;
      return exitCode === 0 ? undefined : new GitFailed(exitCode, decode(stdOut), decode(stdErr));
    },
  });
  if (limits !== undefined) watchOutput(git, limits.outputBytes, output);
  return git.env({ ...used });
}

function createStart(folder: string, timeoutMs: number): Start {
  return async (env, call, work) => {
    // A process cannot start in a removed folder; in an empty one git reports that there is no repository.
    await mkdir(folder, { recursive: true });
    const ends = createEnds(call, timeoutMs);
    try {
      return await work(openGit(folder, env, call, ends));
    } catch (error) {
      call.signal?.throwIfAborted();
      const failed = ends.time.aborted ? new GitFailed(-1, "", `no answer within ${ends.timeMs / 1000} s`) : error;
      throw call.limits === undefined ? failed : explainLimited(failed, call.limits, ends.output.signal);
    }
  };
}
