import { AdapterRefused } from "#libs/runtime";
import type * as sdk from "@aws-sdk/client-ec2";
import type { Filter, Instance } from "@aws-sdk/client-ec2";

import type { Ec2Calls, Ec2Instance, TagFilter } from "./ec2-calls.ts";

type Sdk = typeof sdk;

/** Settings of the SDK; absent ones it takes from variables, files and roles. */
export interface Ec2Settings {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly maxAttempts?: number;
}

const sdkVersion = "3.1169.0";

/** EC2's own limit of a page. */
const pageSize = 1000;

const living = ["pending", "running", "shutting-down", "stopping", "stopped"];

/** A call with all its retries may take so long, real ms. */
const callLimitMs = 20_000;

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

/** The SDK is not among meshroll's own packages: only who has VMs on EC2 needs it. @internal */
export async function loadSdk(load: () => Promise<Sdk> = async () => import("@aws-sdk/client-ec2")): Promise<Sdk> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new AdapterRefused(
      "VMs are on EC2, and the package @aws-sdk/client-ec2, which calls it, is not installed where meshroll is",
      `npm install --global --ignore-scripts @aws-sdk/client-ec2@${sdkVersion}, and for the image docs/how-to/vms-on-ec2.md`,
      { cause: error },
    );
  }
}

function listAddresses({ PrivateIpAddress, NetworkInterfaces = [] }: Instance): readonly string[] {
  const all = NetworkInterfaces.flatMap(({ PrivateIpAddresses = [], Ipv6Addresses = [] }) => [
    ...PrivateIpAddresses.map((each) => each.PrivateIpAddress),
    ...Ipv6Addresses.map((each) => each.Ipv6Address),
  ]);
  return [...new Set([PrivateIpAddress, ...all].filter((each) => each !== undefined))];
}

function toInstance(instance: Instance): readonly Ec2Instance[] {
  const { InstanceId: id, State, Tags = [] } = instance;
  if (id === undefined) return [];
  const tags = Tags.flatMap(({ Key, Value }) => (Key === undefined ? [] : [[Key, Value ?? ""] as const]));
  return [{ id, state: State?.Name ?? "unknown", addresses: listAddresses(instance), tags: new Map(tags) }];
}

function toFilters({ key, value }: TagFilter): Filter[] {
  return [
    { Name: `tag:${key}`, Values: [value] },
    { Name: "instance-state-name", Values: [...living] },
  ];
}

/**
 * EC2 by its SDK. Credentials and region come from where the SDK looks for them: variables, the role of the pod or of the instance.
 * The SDK itself repeats calls that failed in passing or were throttled, later and later.
 */
export async function loadEc2(settings: Ec2Settings = {}): Promise<Ec2Calls> {
  const { EC2Client, DescribeInstancesCommand, CreateTagsCommand } = await loadSdk();
  const client = new EC2Client({ retryMode: "adaptive", maxAttempts: 5, ...settings });
  const limit = (): AbortSignal => AbortSignal.timeout(callLimitMs);
  return {
    async listInstances(tag, signal) {
      const found: Ec2Instance[] = [];
      let token: string | undefined;
      do {
        const page = {
          Filters: toFilters(tag),
          MaxResults: pageSize,
          ...(token === undefined ? {} : { NextToken: token }),
        };
        const answer = await client.send(new DescribeInstancesCommand(page), {
          abortSignal: AbortSignal.any([signal, limit()]),
        });
        const instances = (answer.Reservations ?? []).flatMap(({ Instances = [] }) => Instances);
        found.push(...instances.flatMap(toInstance));
        token = answer.NextToken;
      } while (token !== undefined && token !== "");
      return found;
    },
    async createTags(id, tags) {
      const Tags = tags.map(([Key, Value]) => ({ Key, Value }));
      await client.send(new CreateTagsCommand({ Resources: [id], Tags }), { abortSignal: limit() });
    },
  };
}
