import type { Namespace, PreviousFields, UnreadableAnnotations, Workload } from "#libs/fleet";

/** What one write changes: the shape of the Kubernetes port's `Change`, declared here because a pure lib knows no adapter. */
export interface ObjectChange {
  /**
   * Only annotations, under a field manager of their own (`meshroll-record`): `managedFields` keeps the time of our last move.
   */
  readonly isRecord?: true;
  /** The state this was decided on: the write is refused at any other. */
  readonly resourceVersion: string;
  readonly annotations?: PreviousFields;
  /** Of the object itself: only namespaces have theirs changed. */
  readonly labels?: PreviousFields;
  readonly template?: { readonly labels?: PreviousFields; readonly annotations?: PreviousFields };
}

/** A write, or why there is none. */
export type Planned =
  | { readonly kind: "write"; readonly change: ObjectChange }
  /** The object says all of it already: a replay. */
  | { readonly kind: "nothing"; readonly why: string }
  /** Nothing is written to this object before a person acts. */
  | { readonly kind: "refused"; readonly why: string };

/** What a move is for. */
export interface MoveOrder {
  /** The run's id: 12 hex digits. */
  readonly run: string;
  readonly target: string;
  /** From 1; more only after a `retry`. */
  readonly attempt: number;
  /** The one try at the end of a workload that was unhealthy before the run. */
  readonly unhealthyBefore?: boolean;
}

/** An object that carries our marks. */
export type AnnotatedObject = Workload | Namespace;

/** True for workloads; the rest are namespaces. */
export function isWorkload(object: AnnotatedObject): object is Workload {
  return "template" in object;
}

/** An annotation that was edited: what is wrong and how to fix it, for people. */
export function explainUnreadable(marks: UnreadableAnnotations, where: string): string {
  return `${where} has an annotation ${marks.key} that meshroll cannot read (${marks.why}); restore or remove it`;
}
