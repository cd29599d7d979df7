import type { CampaignStatus, FleetStatus } from "#libs/plan";
import { printWorkloadReason } from "#libs/wording";

/** What is watched: the fleet, or of it one campaign. */
export interface Watched {
  readonly status: FleetStatus;
  readonly campaign?: CampaignStatus;
}

/** Everything that may change, each under a key, with the sentence that tells it. */
type Facts = ReadonlyMap<string, string>;

function listCampaigns({ status, campaign }: Watched): readonly CampaignStatus[] {
  return campaign === undefined ? (status.campaigns ?? []) : [campaign];
}

function listRuns({ status, campaign }: Watched): FleetStatus["runs"] {
  return campaign === undefined ? status.runs : status.runs.filter(({ id }) => campaign.runs.includes(id));
}

type Entry = readonly [key: string, sentence: string];

function listCampaignFacts({ name, state, stages, pull, gates }: CampaignStatus): readonly Entry[] {
  const pulls: readonly Entry[] =
    pull === undefined
      ? []
      : [[`pull ${pull.number}`, `#${pull.number} for ${pull.stage} is ${pull.state}: ${pull.url}`]];
  const judged = gates.filter(({ status }) => status !== "pending");
  return [
    [`campaign ${name}`, `campaign ${name} is ${state}`],
    ...stages.map((each): Entry => [`stage ${name} ${each.name}`, `stage ${each.name} of ${name} is ${each.state}`]),
    ...pulls,
    ...judged.map((gate): Entry => [
      `gate ${name} ${gate.name}`,
      `gate ${gate.name}: ${gate.status} ${gate.why ?? ""}`,
    ]),
  ];
}

function listRunFacts(run: FleetStatus["runs"][number]): readonly Entry[] {
  return [
    [`run ${run.id}`, `run ${run.id} is open: ${run.subject} (${run.workloads} workloads)`],
    ...run.skipped.map(({ cluster, workload, ...reason }): Entry => [
      `skipped ${run.id} ${cluster} ${workload}`,
      `skipped in ${cluster}: ${workload} ${printWorkloadReason(reason)}`,
    ]),
  ];
}

function listSharedFacts({ stops, waitingFor }: CampaignStatus | FleetStatus): readonly Entry[] {
  const stopped = stops.map(({ id, scope, who, why, command }): Entry => [
    `stop ${id} ${scope}`,
    `stop ${id} on ${scope} by ${who}: ${why}  ${command}`,
  ]);
  // What ends by itself, or what we end, is no news: a batch in hand comes and goes.
  const waits = waitingFor.flatMap(({ message, owner, command }): readonly Entry[] =>
    command === undefined ? [] : [[`wait ${message}`, `waits: ${message} [${owner}]  ${command}`]],
  );
  return [...stopped, ...waits];
}

/** Keyed by what stays; a sentence that changes is a transition. */
function collectFacts(watched: Watched): Facts {
  return new Map([
    ...listCampaigns(watched).flatMap(listCampaignFacts),
    ...listRuns(watched).flatMap(listRunFacts),
    ...listSharedFacts(watched.campaign ?? watched.status),
  ]);
}

/** How the end of something is reported; undefined where it goes without saying. */
function tellEnd(key: string): string | undefined {
  const [kind = "", name = "", scope = ""] = key.split(" ");
  if (kind === "run") return `run ${name} is over`;
  if (kind === "stop") return `stop ${name} on ${scope} was resumed`;
  return kind === "wait" ? `no longer waits: ${key.slice("wait ".length)}` : undefined;
}

/** What is new between two reconciles, a sentence each, in the order of what matters; at the first reconcile all that stands. */
export function listTransitions(before: Watched | undefined, after: Watched): readonly string[] {
  const [old, now] = [before === undefined ? new Map<string, string>() : collectFacts(before), collectFacts(after)];
  const ended = [...old.keys()].filter((key) => !now.has(key)).flatMap((key) => tellEnd(key) ?? []);
  const changed = [...now].filter(([key, text]) => old.get(key) !== text).map(([, text]) => text);
  return [...ended, ...changed];
}
