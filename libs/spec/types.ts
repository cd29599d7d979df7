/** One thing wrong (or worth knowing) in a file that a person wrote. Lines and columns count from 1, columns in UTF-16 units. */
export interface Finding {
  /** `MR` and four digits; `docs/reference/findings.md` has a section for each. */
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Lower case, no full stop: what is wrong. */
  readonly message: string;
  /** What to do about it, when one answer exists. */
  readonly help?: string;
  /** How many columns the underline spans; 1 when absent. */
  readonly length?: number;
  /** Other places that the message speaks of (the first of two duplicates, the longer pattern). */
  readonly related?: readonly RelatedPlace[];
}

export interface RelatedPlace {
  readonly line: number;
  readonly column: number;
  readonly length?: number;
  readonly message: string;
}

/** One revision's share of a bucket, in whole percent (0..100). Shares of a bucket add up to 100. */
export interface Share {
  readonly revision: string;
  readonly weight: number;
}

/** One entry of `rollouts.yml`: a bucket, named by its pattern exactly as written in the source. */
export interface Bucket {
  readonly pattern: string;
  readonly line: number;
  readonly column: number;
  /** In file order. Weight 0 stays in: an edit must find it. */
  readonly shares: readonly Share[];
}

/** `rollouts.yml` after parsing: what should run, in Airbnb's format. The bucket `production` always exists. */
export interface Rollouts {
  readonly buckets: readonly Bucket[];
}

/** Either the parsed value, perhaps with warnings and notes, or every error at once. Never both a value and an error. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** What `rollouts.yml` says of one namespace, and why. */
export interface Answer {
  readonly namespace: string;
  readonly revision: string;
  /** The bucket that decided: the longest pattern that matches the whole name, else `production`. */
  readonly bucket: Bucket;
  /** Other buckets whose pattern matches too, longest first (only `explain` asks for them). */
  readonly reason: "TARGETING_MATCH" | "SPLIT" | "DEFAULT";
  /**
   * With exactly two revisions of weight > 0: the percent (0..100) of the second one, in byte order of the names, above
   * which this namespace moves to it. Absent otherwise.
   */
  readonly position?: number;
}
