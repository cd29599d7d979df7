/** The buckets of the bus; each has a NATS account of its own. */
export const buckets = ["control", "status", "inventory", "vms"] as const;
type Bucket = (typeof buckets)[number];

/** What a login may do with one bucket; the lists hold patterns of keys. */
export interface BucketRights {
  readonly get?: readonly string[];
  readonly put?: readonly string[];
  readonly watch?: readonly string[];
  /** Purge old keys. */
  readonly sweep?: true;
}

/** What a login may do on the bus. Event patterns omit their prefix `meshroll.<installation>.v1.`. */
export interface BusRights {
  readonly buckets: Readonly<Partial<Record<Bucket, BucketRights>>>;
  readonly publish?: readonly string[];
  readonly listen?: readonly string[];
  /** Durable consumers of the stream that the login uses. */
  readonly work?: readonly string[];
  /** Read the last messages of the stream. */
  readonly recent?: true;
  /** List the installations that have a status bucket on the server, with the time of its last write. */
  readonly list?: true;
  /** Create absent buckets and streams. */
  readonly make?: true;
}

/** Durable consumers of the stream. Other logins must neither delete nor change them. */
export const sharedWork = ["notifier-slack", "notifier-github"] as const;

const planner: BusRights = {
  buckets: {
    control: { get: ["state", "request.*"], put: ["state", "request.*"], watch: ["request.*", "state"] },
    status: {
      get: ["fleet", "leader", "notifications", "runs.*", "pictures.*"],
      // The last three are for the page alone: the ledger's transitions, the course of runs, and earlier statuses.
      put: [
        "fleet",
        "leader",
        "namespaces.*",
        "notify",
        "notifications",
        "answer.*",
        "history.*",
        "runs.*",
        "pictures.*",
      ],
      sweep: true,
    },
    inventory: { watch: [">"] },
    // It makes the bucket, and neither reads nor writes it.
    vms: {},
  },
  // Only the planner's own events: no hints, and no events of workloads.
  publish: ["run.>", "gate.>", "stage.>", "campaign.>", "stop.>", "wait.>", "cluster.>", "batch.v1.handedOut"],
  listen: ["batch.v1.ended", "hint.v1.github"],
  make: true,
};

/** Rights of the executor of these clusters. */
function grantExecutor(clusters: readonly string[]): BusRights {
  const own = clusters.map((cluster) => `${cluster}.*`);
  // An executor that cannot read its cluster after a restart reads the facts that it published before.
  const facts = clusters.map((cluster) => `${cluster}._`);
  const below = (...kinds: readonly string[]) =>
    clusters.flatMap((cluster) => kinds.map((kind) => `${kind}.${cluster}.>`));
  return {
    buckets: {
      control: { watch: [">"] },
      inventory: { get: facts, put: own, watch: own },
      // What agents say is written by the api alone. A tag is read again after it was written.
      vms: { get: below("tags"), put: below("tags", "groups"), watch: below("reports", "tags", "groups") },
    },
    // Each subject is listed, as each has a limit of its own in the stream: a flood of one pushes out no message of the
    // planner.
    publish: [...["moved", "migrated", "failed", "reverted"].map((each) => `workload.v1.${each}`), "batch.v1.ended"],
  };
}

const notifier: BusRights = {
  buckets: { status: { get: ["told.>"], put: ["told.>"], watch: ["fleet", "notify"] } },
  listen: [">"],
  work: sharedWork,
  recent: true,
};

const api: BusRights = {
  buckets: {
    status: { get: ["pictures.*"], watch: ["fleet", "namespaces.*", "history.*", "runs.*", "pictures.index"] },
    // It tells a VM its tag and sets none.
    vms: { put: ["reports.>"], watch: ["reports.>", "tags.>"] },
  },
  publish: ["hint.v1.github"],
  listen: [">"],
  recent: true,
};

/** People and CI with the command line: they place requests, but cannot answer or carry out one. */
const cli: BusRights = {
  buckets: {
    control: { get: ["state"], put: ["request.*"] },
    status: { get: ["fleet"], watch: ["answer.*"] },
    inventory: { watch: [">"] },
    vms: { watch: ["groups.>"] },
  },
  list: true,
};

export const services = { planner, notifier, api, cli } as const;
export { grantExecutor };
