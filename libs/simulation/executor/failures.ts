/** A workload whose move always fails. */
export interface InjectedFailure {
  /** `namespace/Kind/name`. */
  readonly workload: string;
  /** Only in this stage; absent = in every stage. */
  readonly stage?: string;
}

/** True when a move of this workload fails in this stage. */
export function isDoomed(failures: readonly InjectedFailure[], workload: string, stage: string | undefined): boolean {
  return failures.some((each) => each.workload === workload && (each.stage === undefined || each.stage === stage));
}
