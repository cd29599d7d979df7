/** What is particular to one kind of file. */
export interface FileKind {
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
const ruleFields = ["bake", "strategy", "deadline", "batch", "onWorkloadFailure", "gates", "approvals", "autoMerge"];
const calendarFields = ["windows", "freezes", "rollback", "notify"];

function sendTo(place: string, fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map((field) => [field, place]));
}

/** `meshroll.yml`. */
export const settingsKind: FileKind = {
  mayBeEmpty: true,
  page: "docs/reference/meshroll-yml.md",
  homes: {
    selector: "namespaces",
    ...sendTo("assignment", ["seed", "algorithm"]),
    ...sendTo("defaults", [...ruleFields, ...calendarFields]),
    ...sendTo("defaults.batch", batchFields),
    ...sendTo("defaults.gates", gateFields),
    ...sendTo("clusters.<name>", ["excluded", "controlPlane"]),
    drift: "defaults`, in a cluster, or in a bucket of `buckets",
  },
};

/** A campaign: a line per stage, and one per gate. */
export const campaignKind: FileKind = {
  mayBeEmpty: false,
  page: "docs/reference/campaigns.md",
  homes: {
    ...sendTo("metadata", ["name", "labels", "annotations"]),
    ...sendTo("spec", ["target", "replaces", "maxVersion", "owners", "clusters", "defaults"]),
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
