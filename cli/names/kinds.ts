import { lookUp } from "#libs/input";

/** Kinds for `get`, each with the words that kubectl users type. */
const words = {
  campaigns: ["campaign", "camp"],
  stages: ["stage"],
  runs: ["run"],
  batches: ["batch"],
  namespaces: ["namespace", "ns"],
  workloads: ["workload", "wl", "deployments", "deployment", "deploy"],
  holds: ["hold", "pauses", "pause", "stops", "stop"],
  failures: ["failure", "fail"],
  skipped: ["skip"],
  drift: ["drifts", "drifted"],
  revisions: ["revision", "revs", "rev"],
  fleet: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Kind = keyof typeof words;

/** Every word that names a kind. */
export const kindNames: readonly Kind[] = Object.keys(words) as Kind[];

const kinds: Readonly<Record<string, Kind>> = Object.fromEntries(
  kindNames.flatMap((kind) => [kind, ...words[kind]].map((word) => [word, kind])),
);

/** The kind of a word: plural, singular, or short. */
export function findKindNamed(word: string): Kind | undefined {
  return lookUp(kinds, word);
}
