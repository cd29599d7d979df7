import { lookUp } from "#libs/input";

interface KindWords {
  /** The words that kubectl users type for it. */
  readonly words: readonly string[];
  /** What `get` lists of it. */
  readonly shows: string;
}

const table = {
  campaigns: { words: ["campaign", "camp"], shows: "unfinished campaigns: stage, state, what comes next" },
  stages: { words: ["stage"], shows: "stages of campaigns: what they set, their state, their run" },
  runs: { words: ["run"], shows: "all runs, the newest first: what each did" },
  batches: { words: ["batch"], shows: "what each cluster moves now" },
  clusters: { words: ["cluster"], shows: "clusters: when seen, what rolls, what differs" },
  namespaces: { words: ["namespace", "ns"], shows: "namespaces: desired and running revision" },
  workloads: {
    words: ["workload", "wl", "deployments", "deployment", "deploy"],
    shows: "workloads: desired and running revision, state",
  },
  vms: { words: ["vm"], shows: "VMs of WorkloadGroups: tag, revision, state, and what their agents say" },
  holds: { words: ["hold", "pauses", "pause", "stops", "stop"], shows: "holds and pauses in force" },
  failures: { words: ["failure", "fail"], shows: "workloads whose move failed, and why" },
  skipped: { words: ["skip"], shows: "workloads that runs skipped without a failure, and why" },
  drift: { words: ["drifts", "drifted"], shows: "workloads that differ from main though no run moves them" },
  revisions: { words: ["revision", "revs", "rev"], shows: "who runs which revision, and where it is offered" },
  fleet: { words: [], shows: "the whole inventory, for simulate; -o json only" },
} as const satisfies Readonly<Record<string, KindWords>>;

export type Kind = keyof typeof table;

/** Every word that names a kind. */
export const kindNames: readonly Kind[] = Object.keys(table) as Kind[];

const kinds: Readonly<Record<string, Kind>> = Object.fromEntries(
  kindNames.flatMap((kind) => [kind, ...table[kind].words].map((word) => [word, kind])),
);

/** The kind of a word: plural, singular, or short. */
export function findKindNamed(word: string): Kind | undefined {
  return lookUp(kinds, word);
}

/** A kind, its other words, and what is listed of it. */
export interface KindEntry extends KindWords {
  readonly kind: Kind;
}

/** Every kind, for `get` without one. */
export function listKinds(): readonly KindEntry[] {
  return kindNames.map((kind) => ({ kind, ...table[kind] }));
}
