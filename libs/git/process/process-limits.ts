import { fileURLToPath } from "node:url";

/** Limits of one git process and its helpers on commits that a stranger made. */
export interface ProcessLimits {
  /** Address space of each process, where the operating system limits it (Linux). */
  readonly memoryBytes: number;
  /** CPU time of each process. */
  readonly cpuSeconds: number;
  /** The largest file that it may write: the pack of a fetch. */
  readonly fileBytes: number;
  /** Real ms from its start to its end. */
  readonly timeMs: number;
  /** Bytes that it may print. */
  readonly outputBytes: number;
  /** Bytes of the clone's folder before it is replaced because of strangers' commits. */
  readonly folderBytes: number;
}

const mebibyte = 1024 * 1024;

/** A rollouts repository of years has a few MiB, and its merge takes 20 ms and 20 MiB. */
export const strangersLimits: ProcessLimits = {
  memoryBytes: 1024 * mebibyte,
  cpuSeconds: 20,
  fileBytes: 128 * mebibyte,
  timeMs: 30_000,
  outputBytes: 4 * mebibyte,
  folderBytes: 512 * mebibyte,
};

const script = fileURLToPath(new URL("limited-git.sh", import.meta.url));

/** Started instead of git: `sh` sets the limits and then becomes git. */
export const limitedGit: readonly [string, string] = ["sh", script];

/**
 * Settings that keep git small: big files are streamed, packs are mapped in parts, one thread, every fetch stays one pack
 * (whose size is limited), no automatic maintenance.
 */
const smallGit: readonly (readonly [string, string])[] = [
  ["core.bigFileThreshold", "8m"],
  ["core.packedGitWindowSize", "16m"],
  ["core.packedGitLimit", "128m"],
  ["core.deltaBaseCacheLimit", "32m"],
  ["pack.threads", "1"],
  ["fetch.unpackLimit", "1"],
  ["maintenance.auto", "false"],
  ["gc.auto", "0"],
];

/** The environment of a limited git: the limits for the script, and git's settings after those that exist. */
export function limitEnvironment(
  env: Readonly<Record<string, string>>,
  { memoryBytes, cpuSeconds, fileBytes }: ProcessLimits,
): Readonly<Record<string, string>> {
  const count = Number(env["GIT_CONFIG_COUNT"] ?? "0");
  const settings = smallGit.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${count + index}`, key],
    [`GIT_CONFIG_VALUE_${count + index}`, value],
  ]);
  return {
    ...env,
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(count + smallGit.length),
    MESHROLL_GIT_MEMORY_KIB: String(Math.ceil(memoryBytes / 1024)),
    MESHROLL_GIT_CPU_SECONDS: String(Math.ceil(cpuSeconds)),
    MESHROLL_GIT_FILE_BLOCKS: String(Math.ceil(fileBytes / 512)),
  };
}

const overLimit =
  /out of memory|cannot allocate memory|unable to create thread|mmap failed|file too large|died of signal (?:9|24|25)\b/i;
/** A broken connection also leaves an incomplete pack, but is a network fault. */
const cutOff = /early EOF|hung up|disconnect|RPC failed/i;

/** Whether git's messages say that a limit ended it. */
export function isOverLimit(stderr: string): boolean {
  return overLimit.test(stderr) || (/invalid index-pack output/.test(stderr) && !cutOff.test(stderr));
}
