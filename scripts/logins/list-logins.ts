import { randomBytes } from "node:crypto";

import { type BusRights, grantExecutor, services } from "./bus-rights.ts";
import type { QueueRights } from "./queue-rights.ts";

/** A login of NATS, of Redis or of both, and its rights. */
export interface LoginRights {
  readonly name: string;
  readonly installation: string;
  readonly bus?: BusRights | "operator";
  readonly queue?: QueueRights;
}

/** Name of the login of an executor that serves one cluster. */
export function nameExecutor(cluster: string): string {
  return `executor-${cluster}`;
}

function describeExecutor(installation: string, name: string, clusters: readonly string[]): LoginRights {
  return { installation, name, bus: grantExecutor(clusters), queue: { clusters } };
}

/**
 * All logins of an installation. One executor serves `clusters` together; each of `alone` has an executor of its own. A login's
 * name is part of subjects, so it has the characters of a cluster's name.
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
    // `doctor` reads the INFO of Redis.
    own({ name: "cli", bus: services.cli, queue: "info" }),
    ...(clusters.length === 0 ? [] : [describeExecutor(installation, "executor", clusters)]),
    ...alone.map((cluster) => describeExecutor(installation, nameExecutor(cluster), [cluster])),
  ];
}

/** Another installation on the same servers, and the clusters that its executor serves. */
export interface OtherInstallation {
  readonly installation: string;
  readonly clusters: readonly string[];
}

/**
 * The logins of another installation, named `planner-of-ID` and so on, as both may have a cluster of the same name. Redis has
 * one operator for all: its rights are not limited to one installation's keys.
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

/**
 * A random password of 256 bits, in characters that need no escaping in a URL. It starts with a letter, as NATS' parser reads
 * an unquoted word that starts with a digit as a number.
 */
export function makePassword(): string {
  return `p${randomBytes(32).toString("base64url")}`;
}
