import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";

import { isVmName } from "#libs/events";
import { type Clock, ConfigProblems, type Logger } from "#libs/runtime";

import type { AgentConfig } from "./config.ts";
import type { Disk } from "./disk/port.ts";
import type { Places } from "./slots/places.ts";
import { type Ec2Metadata, openEc2Metadata } from "./tag/ec2-metadata.ts";
import { openFileTag } from "./tag/file-tag.ts";
import type { TagSource } from "./tag/port.ts";
import { openApiClient } from "./api/api-client.ts";
import { type ApiLink, createApiLink } from "./api/api-link.ts";
import { openApiTag } from "./api/api-tag.ts";
import { openCredentialFile } from "./api/credential-file.ts";

interface Outside {
  readonly disk: Disk;
  readonly places: Places;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: () => number;
}

/** The first address of IPv4 that others can reach; it is looked for again each time, as a lease may end. */
function findAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
}

function readHostName(): string {
  const name = hostname().toLowerCase();
  if (isVmName(name)) return name;
  const message = `is not set, and the host's name is no name of a VM: ${name.slice(0, 80)}`;
  throw new ConfigProblems([{ name: "MESHROLL_AGENT_NAME", message }]);
}

/** The name by which the tags of this VM are known. */
function chooseName(config: AgentConfig, metadata: Ec2Metadata | undefined): () => Promise<string | undefined> {
  if (config.MESHROLL_AGENT_NAME === undefined && metadata !== undefined) return async () => metadata.readId();
  const name = config.MESHROLL_AGENT_NAME ?? readHostName();
  return async () => name;
}

function chooseSource({ MESHROLL_AGENT_TAG: from, MESHROLL_AGENT_TAG_FILE: file, ...config }: AgentConfig) {
  return from ?? (file === undefined && config.MESHROLL_AGENT_API !== undefined ? "api" : "file");
}

/** Where the tag comes from, and the link to the api; without its address there is none. */
export function openApi(
  config: AgentConfig,
  { disk, places, clock, log, random }: Outside,
  signal: AbortSignal,
): { readonly tag: TagSource; readonly link: ApiLink | undefined } {
  const source = chooseSource(config);
  const metadata =
    source === "ec2" ? openEc2Metadata(config.MESHROLL_AGENT_EC2_METADATA, () => clock.monotonic()) : undefined;
  const apiTag = source === "api" ? openApiTag(disk, places.apiTag) : undefined;
  const file = config.MESHROLL_AGENT_TAG_FILE ?? join(places.root, "etc/meshroll-agent/tag");
  const tag = metadata ?? apiTag ?? openFileTag(disk, file);
  const { MESHROLL_AGENT_API: address, MESHROLL_AGENT_ADDRESS: own } = config;
  if (address === undefined) return { tag, link: undefined };
  const joinTokenPath = config.MESHROLL_AGENT_JOIN_TOKEN_FILE ?? join(places.root, "etc/meshroll-agent/join-token");
  const link = createApiLink({
    client: openApiClient(address, signal),
    credentials: openCredentialFile(disk, places.credential, joinTokenPath),
    joinTokenPath,
    findName: chooseName(config, metadata),
    findAddress: () => own ?? findAddress(),
    hear: async (heard) => apiTag?.hear(heard),
    clock,
    random,
    log,
  });
  return { tag, link };
}
