import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { FleetStatus } from "#libs/plan";
import { parse } from "yaml";

import { listCampaignFiles } from "../files/campaign-files.ts";
import { readPublished } from "../read/read-published.ts";
import type { BusPlace } from "../read/find-installation.ts";
import { withBus } from "../read/with-bus.ts";
import type { ValueKind } from "./value-kinds.ts";

/** Names known in the shell's folder. */
export interface Known {
  /** Campaign -> its stages. */
  readonly campaigns: ReadonlyMap<string, readonly string[]>;
  readonly runs: readonly string[];
  readonly clusters: readonly string[];
  readonly stops: readonly string[];
}

/** Longest wait for the status, real ms: a person is at a prompt. */
const patienceMs = 300;

const stageStates = ["Baked", "Completed", "Held"];

interface CampaignNames {
  readonly metadata?: { readonly name?: unknown };
  readonly spec?: { readonly stages?: readonly { readonly name?: unknown }[] };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Names in a campaign's file, which may have errors; undefined where there are none. */
function readNames(text: string): readonly [name: string, stages: readonly string[]] | undefined {
  try {
    const { metadata, spec } = (parse(text, { logLevel: "silent" }) ?? {}) as CampaignNames;
    const name = metadata?.name;
    return isText(name) ? [name, (spec?.stages ?? []).map((stage) => stage.name).filter(isText)] : undefined;
  } catch {
    return undefined; // Incomplete YAML, or not a campaign: there is nothing to offer.
  }
}

/** The campaigns of a working copy. */
export function readCampaigns(cwd: string): ReadonlyMap<string, readonly string[]> {
  const named = listCampaignFiles(cwd).map((file) => readNames(readFileSync(join(cwd, file), "utf8")));
  return new Map(named.filter((entry) => entry !== undefined));
}

/** The planner's status, if it is there at once; a bus that is down or slow does not delay the prompt. */
export async function readStatusSoon(bus: BusPlace): Promise<FleetStatus | undefined> {
  // Loading takes time once; the limit is for the network.
  await import("#libs/bus");
  const asked = withBus(bus, readPublished).catch(() => undefined);
  return Promise.race([asked, sleep(patienceMs, undefined, { ref: false })]);
}

/** Local files and the status together: each may have campaigns that the other does not. */
export function gatherKnown(local: Known["campaigns"], status: FleetStatus | undefined): Known {
  if (status === undefined) return { campaigns: local, runs: [], clusters: [], stops: [] };
  const { campaigns = [], runs, clusters, stops } = status;
  const told = campaigns.map(({ name, stages }) => [name, stages.map((each) => each.name)] as const);
  const ran = campaigns.flatMap(({ stages }) => stages.flatMap(({ run }) => run ?? []));
  return {
    campaigns: new Map([...local, ...told]),
    runs: [...new Set([...runs.map(({ id }) => id), ...ran])],
    clusters: clusters.map(({ name }) => name),
    stops: [...new Set(stops.map(({ id }) => id))],
  };
}

/** Completions for a kind of value; stages of the campaign in the line, where one is named. */
export function offerValues(kind: ValueKind, known: Known, named: string | undefined): readonly string[] {
  const names = [...known.campaigns.keys()];
  const runs = known.runs.map((id) => `run/${id}`);
  const stages = known.campaigns.get(named ?? "") ?? [...known.campaigns.values()].flat();
  switch (kind) {
    case "campaign":
      return names;
    case "runOrCampaign":
      return [...names, ...runs];
    case "scope":
      return ["all", ...names, ...known.clusters.map((name) => `cluster/${name}`), ...runs];
    case "stage":
      return [...new Set(stages)];
    case "condition":
      return ["Completed", "Held", ...stages.flatMap((stage) => stageStates.map((state) => `stage=${stage}=${state}`))];
    case "stop":
      return known.stops;
  }
}
