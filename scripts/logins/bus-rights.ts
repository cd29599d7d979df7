/** The buckets of the bus; each lies in an account of its own. */
export const buckets = ["control", "status", "inventory"] as const;
type Bucket = (typeof buckets)[number];

/** What a login may do with one bucket; lists of key patterns. */
export interface BucketRights {
  readonly get?: readonly string[];
  readonly put?: readonly string[];
  readonly watch?: readonly string[];
  /** Forget old keys. */
  readonly sweep?: true;
}

/** What a login may do on the bus. Event patterns are without their `meshroll.<installation>.v1.`. */
export interface BusRights {
  readonly buckets: Readonly<Partial<Record<Bucket, BucketRights>>>;
  readonly publish?: readonly string[];
  readonly listen?: readonly string[];
  /** Names of shared work on the stream. */
  readonly work?: readonly string[];
  /** Read the last messages of the stream. */
  readonly recent?: true;
  /** See which installations have a status bucket on the server, and when it was written last. */
  readonly list?: true;
  /** Make buckets and stream where they are absent. */
  readonly make?: true;
}

/** Consumers of the stream that outlive a process: a login that is not theirs must neither delete nor change them. */
export const sharedWork = ["notifier-slack", "notifier-github"] as const;

const planner: BusRights = {
  buckets: {
    control: { get: ["state", "request.*"], put: ["state", "request.*"], watch: ["request.*", "state"] },
    status: {
      get: ["fleet", "leader", "notifications"],
      put: ["fleet", "leader", "namespaces.*", "notify", "notifications", "answer.*"],
      sweep: true,
    },
    inventory: { watch: [">"] },
  },
  // Its own alone: neither a hint nor what happened to a workload.
  publish: ["run.>", "gate.>", "stage.>", "campaign.>", "stop.>", "wait.>", "cluster.>", "batch.v1.handedOut"],
  listen: ["batch.v1.ended", "hint.v1.github"],
  make: true,
};

/** What the executor of these clusters may do. */
function grantExecutor(clusters: readonly string[]): BusRights {
  const own = clusters.map((cluster) => `${cluster}.*`);
  // Its facts of before are read by an executor that started and cannot read the cluster.
  const facts = clusters.map((cluster) => `${cluster}._`);
  return {
    buckets: { control: { watch: [">"] }, inventory: { get: facts, put: own, watch: own } },
    // By name, each with a limit of its own in the stream: a flood of one throws out no message of the planner's.
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
  buckets: { status: { watch: ["fleet", "namespaces.*"] } },
  publish: ["hint.v1.github"],
  listen: [">"],
  recent: true,
};

/** People and CI with the command line: asks are placed, never carried out or answered. */
const cli: BusRights = {
  buckets: {
    control: { get: ["state"], put: ["request.*"] },
    status: { get: ["fleet"], watch: ["answer.*"] },
    inventory: { watch: [">"] },
  },
  list: true,
};

export const services = { planner, notifier, api, cli } as const;
export { grantExecutor };
