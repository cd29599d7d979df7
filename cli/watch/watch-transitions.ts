import type { CampaignStatus, FleetStatus } from "#libs/plan";
import { printText, printWorkloadReason } from "#libs/wording";

/** What is watched: the fleet, or one campaign of it. */
export interface Watched {
  readonly status: FleetStatus;
  readonly campaign?: CampaignStatus;
}

/** A change, and the command that ends it, if any. */
export interface Transition {
  readonly text: string;
  readonly command?: string;
}

/** A sentence under a stable key, and how its end is told; absent = it is not told. */
interface Fact extends Transition {
  readonly key: string;
  readonly end?: string;
}

function listCampaigns({ status, campaign }: Watched): readonly CampaignStatus[] {
  return campaign === undefined ? (status.campaigns ?? []) : [campaign];
}

function listRuns({ status, campaign }: Watched): FleetStatus["runs"] {
  return campaign === undefined ? status.runs : status.runs.filter(({ id }) => campaign.runs.includes(id));
}

function listCampaignFacts({ name, state, stages, pull, gates }: CampaignStatus): readonly Fact[] {
  const pulls =
    pull === undefined
      ? []
      : [{ key: `pull ${pull.number}`, text: `#${pull.number} for ${pull.stage} is ${pull.state}: ${pull.url}` }];
  const judged = gates.filter(({ status }) => status !== "pending");
  return [
    { key: `campaign ${name}`, text: `campaign ${name} is ${state}` },
    ...stages.map((each) => ({
      key: `stage ${name} ${each.name}`,
      text: `stage ${each.name} of ${name} is ${each.state}`,
    })),
    ...pulls,
    ...judged.map((gate) => ({
      key: `gate ${name} ${gate.name}`,
      text: `gate ${gate.name}: ${gate.status} ${gate.why === undefined ? "" : printText(gate.why)}`,
    })),
  ];
}

function listRunFacts(run: FleetStatus["runs"][number], print: PrintTime): readonly Fact[] {
  return [
    {
      key: `run ${run.id}`,
      text: `run ${run.id} is open: ${run.subject} (${run.workloads} workloads)`,
      end: `run ${run.id} has ended`,
    },
    ...run.skipped.map(({ cluster, workload, ...reason }) => ({
      key: `skipped ${run.id} ${cluster} ${workload}`,
      text: `skipped in ${cluster}: ${workload} ${printWorkloadReason(reason, print)}`,
    })),
  ];
}

function listSharedFacts({ stops, waiting }: CampaignStatus | FleetStatus): readonly Fact[] {
  const stopped = stops.map(({ id, scope, who, why, command }) => ({
    key: `stop ${id} ${scope}`,
    text: `stop ${id} on ${scope} by ${who}: ${why}`,
    command,
    end: `stop ${id} on ${scope} has ended`,
  }));
  // Waits that end by themselves, or that meshroll ends, are not reported.
  const waits = waiting.flatMap(({ scope, code, message, owner, command }) => {
    const words = printText(message);
    const key = JSON.stringify(["wait", scope, code, words]);
    return command === undefined
      ? []
      : [{ key, text: `waits: ${words} [${owner}]`, command, end: `no longer waits: ${words}` }];
  });
  return [...stopped, ...waits];
}

/** A changed sentence is a transition. */
function collectFacts(watched: Watched, print: PrintTime): ReadonlyMap<string, Fact> {
  const facts = [
    ...listCampaigns(watched).flatMap(listCampaignFacts),
    ...listRuns(watched).flatMap((run) => listRunFacts(run, print)),
    ...listSharedFacts(watched.campaign ?? watched.status),
  ];
  return new Map(facts.map((fact) => [fact.key, fact]));
}

/** Prints a time for the reader; ISO in. */
type PrintTime = (iso: string) => string;

/** The changes between two statuses, one sentence each, the most important first; at the first status everything. */
export function listTransitions(
  before: Watched | undefined,
  after: Watched,
  print: PrintTime = (iso) => iso,
): readonly Transition[] {
  const old = before === undefined ? new Map<string, Fact>() : collectFacts(before, print);
  const now = collectFacts(after, print);
  const ended = [...old.values()].flatMap(({ key, end }) => (now.has(key) || end === undefined ? [] : [{ text: end }]));
  const changed = [...now.values()].filter(({ key, text }) => old.get(key)?.text !== text);
  return [...ended, ...changed.map(({ text, command }) => ({ text, ...(command === undefined ? {} : { command }) }))];
}
