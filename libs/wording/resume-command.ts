/** What of a stop decides the command that ends it. */
export interface ResumableStop {
  readonly id: string;
  readonly scope: string;
  readonly strength: "propose" | "move";
  /** What placed it, as the ledger has it. */
  readonly cause?: string;
  /** The run whose rollback left it behind. */
  readonly rollbackOf?: string;
  /** Of a stop that main demands: the file that ends it by being right. */
  readonly file?: string;
  /** Of the stop that was made with kubectl: the context of its cluster, where a person chooses among several. */
  readonly context?: string;
  /** Of a run that sets buckets of several campaigns: their names. */
  readonly campaigns?: readonly string[];
}

/** The stop that a person made with kubectl, in its own cluster. */
export const kubectlStop = "kubectl";

/** A pattern may hold what a shell reads. */
export function quoteForShell(text: string): string {
  return /^[\w/.:-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Holds, and those that rollbacks leave behind, end by another verb than pauses. */
export function nameResumeVerb(stop: Pick<ResumableStop, "strength" | "rollbackOf">): "resume" | "unhold" {
  return stop.strength === "propose" || stop.rollbackOf !== undefined ? "unhold" : "resume";
}

/** The command that ends a stop. */
export function nameResume(stop: ResumableStop): string {
  if (stop.campaigns !== undefined) return `meshroll rollback ${stop.scope} --reason "…"`;
  if (stop.file !== undefined) return `meshroll validate ${quoteForShell(stop.file)}`;
  if (stop.id === kubectlStop) {
    const context = stop.context === undefined ? "" : `--context ${quoteForShell(stop.context)} `;
    return `kubectl ${context}-n meshroll-system delete configmap meshroll-stop`;
  }
  return `meshroll ${nameResumeVerb(stop)} ${quoteForShell(stop.scope)} --reason "…"`;
}
