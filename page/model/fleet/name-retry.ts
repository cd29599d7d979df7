interface Failed {
  /** `cluster:namespace/Kind/name`. */
  readonly workload: string;
  readonly run?: string;
}

/** Names that a shell takes as they are: others are not put into a command that a person copies. */
function isPlain(name: string): boolean {
  return /^[A-Za-z0-9][\w.:/-]*$/.test(name);
}

/** The command that tries one workload again; where its run is not known, the one that shows more of it. */
export function nameRetry({ workload, run }: Failed): string {
  if (run === undefined || !isPlain(run)) return "meshroll get failures";
  const name = isPlain(workload) ? ` ${workload}` : "";
  return `meshroll retry run/${run}${name} --reason "…"`;
}

/** The command that tries all again that failed in a run. */
export function nameRetryOfRun(run: string): string {
  return isPlain(run) ? `meshroll retry run/${run} --reason "…"` : "meshroll get failures";
}
