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
  /** The rule behind it, when the message alone does not say why. */
  readonly note?: string;
  /** What the underline itself says: `9 characters`. */
  readonly label?: string;
  /** How many columns the underline spans; 1 when absent. */
  readonly length?: number;
  /** Other places that the message speaks of (the first of two duplicates, the longer pattern). */
  readonly related?: readonly RelatedPlace[];
}

export interface RelatedPlace {
  readonly line: number;
  readonly column: number;
  readonly length?: number;
  /** Empty when the line is only shown as context, without an underline. */
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
  /**
   * SPLIT: several revisions share the bucket and the hash chose. Else one has all of it, and the bucket was chosen by a pattern
   * (TARGETING_MATCH) or because none matched (DEFAULT).
   */
  readonly reason: "TARGETING_MATCH" | "SPLIT" | "DEFAULT";
  /**
   * The percent at which this namespace moves, above 0 and below 100: it runs `positionOf` exactly when that revision's weight in the
   * bucket is *greater* (`weight > position`). There for a bucket with exactly two revisions of weight > 0, or with exactly two listed
   * (so 100/0 and 0/100 have one too, before and after a ramp); both fields are absent otherwise.
   */
  readonly position?: number;
  /** The revision that `position` speaks of: of the two, the greater name in byte order (`1-25-2` rather than `1-24-5`). */
  readonly positionOf?: string;
}
