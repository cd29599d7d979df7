import type { SailAnnotations } from "./sail-marks.ts";

/** `<run> <revision>[ UnhealthyBefore][ #n]`: what `parseAnnotations` reads back. */
export function renderRunAnnotation(mark: RunAnnotation): string {
  const unhealthy = mark.unhealthyBefore ? " UnhealthyBefore" : "";
  const attempt = mark.attempt > 1 ? ` #${mark.attempt}` : "";
  return `${mark.run} ${mark.target}${unhealthy}${attempt}`;
}

/** `<revision> <Reason> <time>[ <Code> <revision of before>]`: what `parseAnnotations` reads back. */
export function renderFailureAnnotation({ revision, reason, at, notPutBack }: FailureAnnotation): string {
  const stays = notPutBack === undefined ? "" : ` ${notPutBack.code} ${notPutBack.revision}`;
  return `${revision} ${reason} ${at}${stays}`;
}

/** JSON of exactly the fields that changed, without empty groups. */
export function renderPrevious(previous: Previous): string {
  return JSON.stringify(previous);
}

/** A null value: the key was not there before our write, so undoing it removes the key. */
export type PreviousFields = Readonly<Record<string, string | null>>;

/** What stood before our last write, field by field: nothing that we did not change is in it. */
export interface Previous {
  readonly template?: { readonly labels?: PreviousFields; readonly annotations?: PreviousFields };
  /** Labels of the object itself: of namespaces only. */
  readonly labels?: PreviousFields;
  /** The write put back what stood there earlier (a rollback): the values written may differ from what a move writes. */
  readonly restored?: true;
}

/** Which run wrote last, and towards what. It stays after an undo, so that history is known on the object. */
export interface RunAnnotation {
  /** 12 hex digits: the short SHA of the commit. */
  readonly run: string;
  readonly target: string;
  /** This was the one try at the end of a workload that was unhealthy before the run: its failure is not ours. */
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
  /** It was not put back, for nothing serves the revision of before: which one, and the code of why. Absent = no undo is owed. */
  readonly notPutBack?: { readonly code: string; readonly revision: string };
  /** Its API server's words, where they are why it is not on the object. */
  readonly why?: string;
}

/** A mark of ours in another hand. */
export interface HandMark {
  /** The annotation. */
  readonly key: string;
  /** What it speaks of. */
  readonly revision: string;
  /** The field manager. */
  readonly by: string;
}

export interface ReadAnnotations {
  readonly kind: "read";
  readonly previous?: Previous;
  /** As our executor recorded it, with the run that failed it. */
  readonly failed?: FailureAnnotation;
  readonly run?: RunAnnotation;
  /** Another manager wrote `run`: it holds no place and proves no time. */
  readonly runByHand?: true;
  /** What the run wrote stands, and was seen to be through: all pods were ready on its target. Our executor recorded it. */
  readonly arrived?: true;
  /** `failed` or `arrived`, as another manager wrote it: it binds this one object, and counts nowhere. */
  readonly byHand?: HandMark;
  readonly pin?: string;
  /** The owner's reason, perhaps empty. */
  readonly optOut?: string;
  /** The owner's reason to go below its budgets; false: not even where its namespace says so. */
  readonly ignoreBudget?: string | false;
  readonly mutatedAt?: string;
  /** What the owner says in Sail's words. */
  readonly sail: SailAnnotations;
}

/** An annotation of ours that was changed by hand: nothing is written to such an object until a person fixes it. */
export interface UnreadableAnnotations {
  readonly kind: "unreadable";
  /** The annotation. */
  readonly key: string;
  readonly why: string;
}

export type Marks = ReadAnnotations | UnreadableAnnotations;
