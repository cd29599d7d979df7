import { randomBytes } from "node:crypto";

import { type BusRights, grantExecutor, services } from "./bus-rights.ts";
import type { QueueRights } from "./queue-rights.ts";

/** A name that logs in to NATS, to Redis, or to both, and what it may do there. */
export interface LoginRights {
  readonly name: string;
  readonly installation: string;
  readonly bus?: BusRights | "operator";
  readonly queue?: QueueRights;
}

/** An executor's own name, where each cluster has one. */
export function nameExecutor(cluster: string): string {
  return `executor-${cluster}`;
}

function describeExecutor(installation: string, name: string, clusters: readonly string[]): LoginRights {
  return { installation, name, bus: grantExecutor(clusters), queue: { clusters } };
}

/**
 * All logins of an installation: `clusters` are served by one executor together, each of `alone` by one of its own. A
 * login's name is part of subjects, so it has the letters of a cluster's name.
 */
export function listLogins(
  installation: string,
  clusters: readonly string[],
  alone: readonly string[] = [],
): readonly LoginRights[] {
  const own = (login: Omit<LoginRights, "installation">): LoginRights => ({ installation, ...login });
  return [
    own({ name: "operator", bus: "operator", queue: "operator" }),
    own({ name: "planner", bus: services.planner, queue: { clusters: "all" } }),
    own({ name: "notifier", bus: services.notifier }),
    own({ name: "api", bus: services.api }),
    // `doctor` asks the Redis what it says of itself.
    own({ name: "cli", bus: services.cli, queue: "look" }),
    ...(clusters.length === 0 ? [] : [describeExecutor(installation, "executor", clusters)]),
    ...alone.map((cluster) => describeExecutor(installation, nameExecutor(cluster), [cluster])),
  ];
}

/** An installation next to the first one on the same servers, and the clusters that its executor serves. */
export interface OtherInstallation {
  readonly installation: string;
  readonly clusters: readonly string[];
}

/**
 * The logins of another installation: `planner-of-ID` and so on, for both may have clusters of one name. Redis knows one operator
 * for all: its rights cannot end at the keys of an installation.
 */
export function listOtherLogins(
  { installation, clusters }: OtherInstallation,
  alone: readonly string[] = [],
): readonly LoginRights[] {
  return listLogins(installation, clusters, alone).map(({ queue, ...login }) => ({
    ...login,
    name: `${login.name}-of-${installation}`,
    ...(queue === undefined || queue === "operator" ? {} : { queue }),
  }));
}

/** 256 bits that stand in a URL as they are, and begin with a letter: NATS reads a word that begins as a number as one. */
export function makePassword(): string {
  return `p${randomBytes(32).toString("base64url")}`;
}
