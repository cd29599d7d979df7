/** The fields of a stop that decide which command ends it. */
export interface ResumableStop {
  readonly id: string;
  readonly scope: string;
  readonly strength: "propose" | "move";
  /** Its cause in the ledger. */
  readonly cause?: string;
  /** The run whose rollback placed it. */
  readonly rollbackOf?: string;
  /** For a stop because of an invalid file: the file. */
  readonly file?: string;
  /** For the stop that was placed with kubectl: its cluster's context, where there are several. */
  readonly context?: string;
  /** For a stop of a run that sets buckets of several campaigns: their names. */
  readonly campaigns?: readonly string[];
}

/** The id of the stop that a person made with kubectl, in its own cluster. */
export const kubectlStop = "kubectl";

/** Quotes a pattern for a shell. */
export function quoteForShell(text: string): string {
  return /^[\w/.:-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The verb that ends the stop: holds, also those of rollbacks, have another one than pauses. */
export function nameResumeVerb(stop: Pick<ResumableStop, "strength" | "rollbackOf">): "resume" | "unhold" {
  return stop.strength === "propose" || stop.rollbackOf !== undefined ? "unhold" : "resume";
}

/** The verb that ends all of these stops: `unhold` where each is a hold. */
export function nameEndVerb(stops: readonly Pick<ResumableStop, "strength" | "rollbackOf">[]): "resume" | "unhold" {
  return stops.every((stop) => nameResumeVerb(stop) === "unhold") ? "unhold" : "resume";
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

/** The command that cancels a rollback. By its scope it would also end the stop that failures placed on the run. */
export function nameCancel({ id }: Pick<ResumableStop, "id">): string {
  return `meshroll resume --id ${quoteForShell(id)} --reason "…"`;
}
