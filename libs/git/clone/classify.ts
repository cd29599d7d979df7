import { CloneFull } from "./clone-folder.ts";
import { type GitRefusal, GitRefused, GitUnavailable } from "../errors.ts";
import { isLoginRefused } from "../process/login-refused.ts";
import { GitFailed } from "../process/run-git.ts";

/**
 * git's messages about the files of our own clone. A lock left by a killed process counts, because no other program writes
 * there.
 */
const damaged = [
  /object file .* is empty/i,
  /loose object .* is corrupt/i,
  /packfile .* (?:is far too short|cannot be (?:accessed|mapped)|is corrupt|does not match)/i,
  /index file .* (?:is too small|is corrupt)/i,
  /not a git repository/i,
  /bad object refs\//i,
  /unable to (?:read tree|unpack|open object)/i,
  /invalid sha1 pointer/i,
  /bad config (?:file )?line/i,
  /\.lock': File exists/i,
  /missing (?:blob|tree|commit) /i,
  /inflate: data stream error/i,
  /could not read [0-9a-f]{40}|failed to traverse parents/i,
];

/** git's messages where a retry cannot help: rights, a wrong address, a missing branch. */
const refusals: readonly (readonly [RegExp, string, GitRefusal?])[] = [
  [
    /permission denied|error: 403|write access .* not granted|access denied/i,
    "give the token read and write rights to the repository",
    "right",
  ],
  [
    /returned error: 30[1278]/i,
    "name the address that the remote redirects to (MESHROLL_REPO_URL): the token is not sent along with a redirect",
    "moved",
  ],
  [/couldn't find remote ref/i, "put the branch back, or name the right one in the settings", "noBranch"],
  [/not our ref|unadvertised object/i, "fetch the commit from a clone that still has it"],
  [
    /repository .* not found|error: 404|does not appear to be a git repository|repository not exported/i,
    "check the address of the rollouts repository",
    "noRepository",
  ],
  [/host key verification failed/i, "add the host's key to known_hosts"],
  [/transport '.*' not allowed/i, "use a file, http, https or ssh address"],
  [
    /protected branch|hook declined|declined|denied/i,
    "let the token push this branch in the repository's protection rules",
  ],
];

/** Drops lines that the other side sent: they are not about our clone. */
function dropRemoteLines(stderr: string): string {
  return stderr
    .split("\n")
    .filter((line) => !line.startsWith("remote:"))
    .join("\n");
}

/** True when the clone itself is broken, so that a new one helps. */
export function isDamage(error: unknown): boolean {
  if (error instanceof CloneFull) return true;
  if (!(error instanceof GitFailed)) return false;
  const said = dropRemoteLines(error.stderr);
  return damaged.some((pattern) => pattern.test(said));
}

/** Whether the remote refuses to hand out a commit by its id; a fetch by ref may still find it. */
export function isNotHandedOut(error: unknown): boolean {
  return error instanceof GitFailed && /not our ref|unadvertised object/i.test(error.stderr);
}

/** True when a fetch was refused because the remote has no ref of exactly this name. */
export function isAbsent(error: unknown, ref: string): boolean {
  return error instanceof GitFailed && error.stderr.split("\n").some((line) => line.endsWith(`find remote ref ${ref}`));
}

/** The first line that gives the reason, without git's prefixes. */
function summarise(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const reason = lines.find((line) => /^(?:remote: )?(?:fatal|error):/.test(line)) ?? lines.find((line) => line !== "");
  return (reason ?? "git said nothing").replace(/^(?:remote: )?(?:fatal|error): /, "");
}

/** The missing branch, by git's message. */
function findBranch(stderr: string): string | undefined {
  return /couldn't find remote ref refs\/heads\/(\S+)/u.exec(stderr)?.[1];
}

/**
 * Turns a failed process into `GitRefused` or `GitUnavailable`. `doing` reads like "fetching main of <url>"; `check`: a command
 * that shows the cause.
 */
export function classify(error: unknown, doing: string, check: string): Error {
  if (!(error instanceof GitFailed)) return error instanceof Error ? error : new Error(String(error));
  const why = summarise(error.stderr);
  if (/spawn git ENOENT/.test(error.stderr)) {
    return new GitRefused(`${doing} failed: there is no git on this machine`, "apt-get install git", { cause: error });
  }
  if (isLoginRefused(error.stderr))
    return new GitRefused(`${doing} failed: ${why}`, "renew the token", { cause: error, refusal: "login" });
  for (const [pattern, fix, refusal] of refusals) {
    if (pattern.test(error.stderr))
      return new GitRefused(`${doing} failed: ${why}`, fix, {
        cause: error,
        refusal,
        branch: findBranch(error.stderr),
      });
  }
  return new GitUnavailable(`${doing} failed: ${why}`, { cause: error, fix: check });
}
