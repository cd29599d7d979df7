import type { FailureCause } from "../causes/failure-cause.ts";
import type { SailAnnotations } from "./sail-marks.ts";

/** `<run> <revision>[ UnhealthyBefore][ #n]`: what `parseAnnotations` reads back. */
export function renderRunAnnotation(mark: RunAnnotation): string {
  const unhealthy = mark.unhealthyBefore ? " UnhealthyBefore" : "";
  const attempt = mark.attempt > 1 ? ` #${mark.attempt}` : "";
  return `${mark.run} ${mark.target}${unhealthy}${attempt}`;
}

/** `<revision> <Reason> <time>[ <Code> <revision of before>][ <JSON of the cause>]`: what `parseAnnotations` reads back. */
export function renderFailureAnnotation({ revision, reason, at, notPutBack, cause }: FailureAnnotation): string {
  const stays = notPutBack === undefined ? "" : ` ${notPutBack.code} ${notPutBack.revision}`;
  return `${revision} ${reason} ${at}${stays}${cause === undefined ? "" : ` ${JSON.stringify(cause)}`}`;
}

/** JSON of exactly the fields that changed, without empty groups. */
export function renderPrevious(previous: Previous): string {
  return JSON.stringify(previous);
}

/** A null value: the key was absent before our write, so the undo removes it. */
export type PreviousFields = Readonly<Record<string, string | null>>;

/** The values before our last write, of exactly the fields that it changed. */
export interface Previous {
  readonly template?: { readonly labels?: PreviousFields; readonly annotations?: PreviousFields };
  /** Labels of the object itself: of namespaces only. */
  readonly labels?: PreviousFields;
  /** The write restored older values (a rollback), which may differ from those that a move writes. */
  readonly restored?: true;
}

/** The run that wrote last, and its target. It stays after an undo, as history. */
export interface RunAnnotation {
  /** 12 hex digits: the short SHA of the commit. */
  readonly run: string;
  readonly target: string;
  /** The one try, at the end, of a workload that was unhealthy before the run: its failure does not count against the run. */
  readonly unhealthyBefore: boolean;
  /** From 1; more than 1 only after a `retry`. */
  readonly attempt: number;
}

export interface FailureAnnotation {
  readonly revision: string;
  /** One word in CamelCase, for machines and people. */
  readonly reason: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /**
   * It was not put back, because nothing serves the earlier revision: that revision, and the code of the reason. Absent = no
   * undo is due.
   */
  readonly notPutBack?: { readonly code: string; readonly revision: string };
  /** What its pods said when it failed; absent = nothing, or they could not be read. */
  readonly cause?: FailureCause;
  /** The API server's message, where the failure is a refused write and not on the object. */
  readonly why?: string;
}

/** An annotation of ours that another field manager wrote. */
export interface HandMark {
  /** The annotation. */
  readonly key: string;
  /** The revision in it. */
  readonly revision: string;
  /** The field manager. */
  readonly by: string;
}

export interface ReadAnnotations {
  readonly kind: "read";
  readonly previous?: Previous;
  /** As our executor recorded it, with the run in which it failed. */
  readonly failed?: FailureAnnotation;
  readonly run?: RunAnnotation;
  /** Another field manager wrote `run`: it takes no place of the batch and proves no time. */
  readonly runByHand?: true;
  /** The last move is complete: all pods were ready on its target. Recorded by our executor. */
  readonly arrived?: true;
  /** `failed` or `arrived` by another field manager: it keeps this one object from being moved, and is counted nowhere. */
  readonly byHand?: HandMark;
  readonly pin?: string;
  /** The owner's reason, perhaps empty. */
  readonly optOut?: string;
  /** The owner's reason to go below its budgets; false: not even where its namespace allows it. */
  readonly ignoreBudget?: string | false;
  readonly mutatedAt?: string;
  /** The owner's annotations of the Sail proposal. */
  readonly sail: SailAnnotations;
}

/** An annotation of ours that cannot be read: nothing is written to such an object until a person corrects it. */
export interface UnreadableAnnotations {
  readonly kind: "unreadable";
  /** The annotation. */
  readonly key: string;
  readonly why: string;
}

export type Marks = ReadAnnotations | UnreadableAnnotations;
