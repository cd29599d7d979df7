/** The spec's answer for a namespace: its revision, or why its workloads stay as they are. */
export type ManifestAnswer =
  | { readonly kind: "revision"; readonly revision: string }
  | { readonly kind: "unmanaged"; readonly why: string };

/** The annotations written next to a label: `meshroll.dev/mutated-at` and `meshroll.dev/spec-commit`. */
export interface Stamp {
  /** ISO 8601 in UTC. */
  readonly mutatedAt: string;
  /** Absent = not known. */
  readonly specCommit?: string;
}

export interface MutateQuestion {
  readonly answer: (namespace: string) => ManifestAnswer;
  /** For documents without a namespace. */
  readonly namespace?: string;
  /** Revision tags. A label with a tag stays, because the tag's owner moves it. */
  readonly tags: ReadonlySet<string>;
  /** Namespaces in the same input, whose labels may decide. */
  readonly namespaces: ReadonlyMap<string, NamespaceFacts>;
  readonly stamp: Stamp;
}

/** The contents of a Namespace manifest. */
export interface NamespaceFacts {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
