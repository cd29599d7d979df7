/** A range of the text in UTF-16 offsets, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A scalar of the text, with its quotes. */
export interface Scalar extends Span {
  readonly value: string;
}

/**
 * A map of the text as a place for one more entry:
 * - `block`: lines of their own, before the line at `at`, `indent` columns deep;
 * - `empty`: its key has no value: lines below the one that ends at `at`;
 * - `flow`: behind the `{` at `at`; a `json` one has its keys in quotes;
 * - `value`: what stands from `at` to `end` gives way to a flow map (`null`, or an alias with its `entries`).
 */
export type MapPlace =
  | { readonly form: "block"; readonly at: number; readonly indent: number }
  | { readonly form: "empty"; readonly at: number; readonly indent: number }
  | { readonly form: "flow"; readonly at: number; readonly isEmpty: boolean }
  | {
      readonly form: "json";
      readonly at: number;
      readonly isEmpty: boolean;
      readonly indent?: string;
      readonly gap: string;
    }
  | {
      readonly form: "value";
      readonly at: number;
      readonly end: number;
      readonly entries: readonly (readonly [string, string])[];
    };

/** Maps that may get an entry. */
export type MapName = "metadata" | "annotations" | "objectLabels" | "template" | "templateMetadata" | "templateLabels";

/** The fields of one object that decide, and the places of its label and annotations. All readers find the same. */
export interface ManifestObject {
  /** Offset of its beginning, for messages. */
  readonly at: number;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  /** `spec.template`, or that of a job template. */
  readonly templateBelow?: "spec" | "jobTemplate";
  readonly maps: Readonly<Record<MapName, MapPlace | undefined>>;
  /** Those that meshroll or injection reads. */
  readonly annotations: ReadonlyMap<string, Scalar>;
  /** All of a Namespace or Pod; of others only those that come before their kind. */
  readonly labels: ReadonlyMap<string, Scalar>;
  /** The pod template's labels and annotations that injection reads. */
  readonly templateLabels: ReadonlyMap<string, Scalar>;
  readonly templateAnnotations: ReadonlyMap<string, Scalar>;
  readonly hostNetwork: boolean;
  /** `istio.io/rev` in `spec.selector.matchLabels`. */
  readonly selectorRevision?: string;
  /** An expression of `spec.selector.matchExpressions` is about `istio.io/rev`. */
  readonly hasRevisionExpression: boolean;
  /** Why its lines cannot be changed safely: a key that occurs twice, an anchor that is used elsewhere. */
  readonly unclear?: { readonly at: number; readonly why: Unclear };
}

export type Unclear = "duplicateKey" | "sharedAnchor" | "layout" | "notText";

/** The first place that is no YAML, or no JSON. Nothing of the file is used then. */
export interface Malformed {
  readonly at: number;
  readonly message: string;
}

export type ReadObjects =
  | { readonly ok: true; readonly objects: readonly ManifestObject[] }
  | { readonly ok: false; readonly malformed: Malformed };
