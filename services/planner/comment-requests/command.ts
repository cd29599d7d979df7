import type { StopScope } from "#libs/plan";

/** A command of a comment. `scope` is present only where the comment names one. */
export type Command =
  | { readonly verb: "pause" | "hold" | "rollback"; readonly scope?: StopScope; readonly why: string }
  /** `workload`: as typed, `cluster:namespace/Kind/name` or a shorter form. */
  | { readonly verb: "converge"; readonly scope?: StopScope; readonly workload?: string; readonly why: string }
  | { readonly verb: "resume" | "unhold"; readonly scope?: StopScope; readonly why: string }
  | { readonly verb: "retry"; readonly scope?: StopScope; readonly workload?: string }
  | { readonly verb: "explain"; readonly namespace: string }
  | { readonly verb: "status" | "plan" | "rerender" | "help" };

export type Verb = Command["verb"];

interface Usage {
  readonly verb: Verb;
  /** What follows the verb. */
  readonly words: string;
  readonly effect: string;
  /** True if everyone who can comment may use it. */
  readonly isRead: boolean;
}

/** Every command, in the order of the help. */
export const usages: readonly Usage[] = [
  { verb: "help", words: "", effect: "this list", isRead: true },
  {
    verb: "status",
    words: "",
    effect: "the five answers: where, rollouts, waiting, next, stop and undo",
    isRead: true,
  },
  { verb: "plan", words: "", effect: "who moves when this pull request is merged", isRead: true },
  { verb: "explain", words: " NAMESPACE", effect: "what it runs, why, and when it moves", isRead: true },
  { verb: "hold", words: " REASON", effect: "propose nothing more; merged changes continue", isRead: false },
  { verb: "unhold", words: " [REASON]", effect: "ends holds, also those that rollbacks left", isRead: false },
  { verb: "pause", words: " REASON", effect: "stop moving; in-flight rollouts continue", isRead: false },
  { verb: "resume", words: " [REASON]", effect: "ends pauses", isRead: false },
  { verb: "rollback", words: " REASON", effect: "a pull request rolls back what this one moved", isRead: false },
  { verb: "retry", words: " [WORKLOAD]", effect: "retries the failed workloads", isRead: false },
  {
    verb: "converge",
    words: " [WORKLOAD] REASON",
    effect: "brings back to main what differs and no run moves",
    isRead: false,
  },
  { verb: "rerender", words: "", effect: "resets this branch to what meshroll proposes", isRead: false },
];

/** True when every commenter may use it. */
export function isReadCommand({ verb }: Command): boolean {
  return usages.find((usage) => usage.verb === verb)?.isRead ?? false;
}
