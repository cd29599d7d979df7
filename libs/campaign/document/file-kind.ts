/** What is particular to one kind of file: how large it may be, and where its fields belong. */
export interface FileKind {
  readonly mostBytes: number;
  /** Brackets and braces, counted without looking at quotes or comments: no text hides one from the count. */
  readonly mostBrackets: number;
  /** A file of comments only says nothing, and that is fine. */
  readonly mayBeEmpty: boolean;
  /** The page that shows a complete file. */
  readonly page: string;
  /** Where each field belongs: a good name in the wrong place is the commonest slip. */
  readonly homes: Readonly<Record<string, string>>;
}

const batchFields = [
  "batchSize",
  "delayBetweenBatches",
  "readinessTimeout",
  "maxUnavailable",
  "failurePolicy",
  "maxFailures",
  "maxAttempts",
];
const gateFields = ["restartHealth", "revisionMatch", "proxySync", "prometheus"];
const ruleFields = ["bake", "strategy", "batch", "onWorkloadFailure", "gates", "approvals", "autoMerge"];
const calendarFields = ["windows", "freezes", "rollback", "notify"];

function sendTo(place: string, fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map((field) => [field, place]));
}

/** `meshroll.yml`. Its fields fill a screen or two; up to here the yaml library takes 0.1 s for the worst text that was found. */
export const settingsKind: FileKind = {
  mostBytes: 16 * 1024,
  mostBrackets: 100,
  mayBeEmpty: true,
  page: "docs/reference/meshroll-yml.md",
  homes: {
    selector: "namespaces",
    ...sendTo("assignment", ["seed", "algorithm"]),
    ...sendTo("defaults", [...ruleFields, ...calendarFields]),
    ...sendTo("defaults.batch", batchFields),
    ...sendTo("defaults.gates", gateFields),
    ...sendTo("clusters.<name>", ["excluded", "controlPlane"]),
  },
};

/** A campaign: a line per stage, and one per gate. */
export const campaignKind: FileKind = {
  mostBytes: 32 * 1024,
  mostBrackets: 400,
  mayBeEmpty: false,
  page: "docs/reference/campaigns.md",
  homes: {
    ...sendTo("metadata", ["name", "labels", "annotations"]),
    ...sendTo("spec", ["target", "replaces", "maxVersion", "supersedes", "owners", "clusters", "defaults"]),
    ...sendTo("spec", ["exclude", "ignoreBudgets"]),
    stages: "spec",
    ...sendTo("spec.defaults` or in a stage, and not in `spec", ruleFields),
    ...sendTo("spec` or in a stage, and not in `spec.defaults", calendarFields),
    ...sendTo("batch", batchFields),
    ...sendTo("gates", gateFields),
    ...sendTo("spec.clusters", ["order", "concurrency", "delayBetweenWaves"]),
    ...sendTo("a stage", ["set", "skipDefaultGates"]),
  },
};
