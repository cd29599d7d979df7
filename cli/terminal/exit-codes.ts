/** What each exit code says, for people: printed by `meshroll help exit-codes`, documented in docs/reference/exit-codes.md. */
export const exitMeanings = [
  { code: 0, name: "done", meaning: "done, or nothing to do" },
  { code: 1, name: "failed", meaning: "it failed" },
  { code: 2, name: "changes", meaning: "there are changes; only with --exit-code or --check" },
  { code: 4, name: "authentication", meaning: "git or GitHub does not know who you are, or lacks a right" },
  { code: 8, name: "running", meaning: "still running, or `wait` timed out" },
  { code: 64, name: "usage", meaning: "the command line is wrong: an unknown command, option or argument" },
  { code: 65, name: "invalid", meaning: "the input is wrong: errors in a file; no such file, campaign or scope" },
  { code: 69, name: "unavailable", meaning: "something needed cannot be reached: git, Kubernetes, NATS or Redis" },
  { code: 75, name: "tryLater", meaning: "not now; the same command may work later" },
  {
    code: 78,
    name: "environment",
    meaning: "the environment is wrong: a setting, or a command line of another version",
  },
  { code: 79, name: "problems", meaning: "doctor or ledger check found something to fix" },
  { code: 80, name: "rolloutFailed", meaning: "the rollout failed" },
  { code: 81, name: "stopped", meaning: "the rollout is held or paused" },
  { code: 82, name: "gateFailed", meaning: "a gate failed" },
  { code: 83, name: "refused", meaning: "refused by policy" },
  { code: 130, name: "interrupted", meaning: "interrupted; running rollouts continue" },
] as const;

type ExitName = (typeof exitMeanings)[number]["name"];

/** Exit codes by name. */
export const exitCodes: Readonly<Record<ExitName, number>> = Object.fromEntries(
  exitMeanings.map(({ name, code }) => [name, code]),
) as Record<ExitName, number>;
