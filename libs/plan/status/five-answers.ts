import type { CampaignStatus, WaitStatus } from "./campaign-status.ts";
import type { BucketStatus, FleetStatus } from "./status.ts";

/** A sentence for people, and what to type, apart from it so that a surface can make it copyable. */
export interface ToldLine {
  readonly text: string;
  readonly command?: string;
}

/**
 * The five answers in words, no answer empty. Every surface shows these sentences: it may escape them, break lines, and
 * print their times (ISO, UTC) in its reader's zone, and nothing else.
 */
export interface ToldAnswers {
  readonly where: readonly string[];
  readonly doing: readonly string[];
  readonly waiting: readonly ToldLine[];
  readonly otherwise: readonly string[];
  readonly stop: ToldLine;
  readonly undo: ToldLine;
}

/** How many entries of one answer are told before "and N more". */
const shown = 6;
/** Names of workloads in one sentence. */
const shownNames = 3;

/** The first ones, and how many there are besides. */
function cut(lines: readonly string[]): readonly string[] {
  return lines.length <= shown ? lines : [...lines.slice(0, shown), `and ${lines.length - shown} more`];
}

function orNothing(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ["nothing"] : cut(lines);
}

function tellNames(names: readonly string[], count: number): string {
  const more = count - Math.min(names.length, shownNames);
  return names.slice(0, shownNames).join(", ") + (more > 0 ? `, and ${more} more` : "");
}

function tellBucket({ bucket, namespaces, shares, mixed }: BucketStatus): string {
  if (namespaces === 0) return `${bucket}: no namespace`;
  const parts = shares.map(
    ({ revision, asked, actual, namespaces: count }) =>
      `${revision} asked ${asked} %, is ${actual} % (${count} of ${namespaces})`,
  );
  return `${bucket}: ${[...parts, ...(mixed > 0 ? [`${mixed} on their way or on something else`] : [])].join(", ")}`;
}

/** What waits for the same in several places is reported once; how many there are is part of it. */
function tellWaits(waits: readonly WaitStatus[]): readonly ToldLine[] {
  const groups = new Map<string, { readonly reason: Omit<WaitStatus, "scope">; readonly scopes: Set<string> }>();
  for (const { scope, ...reason } of waits) {
    const key = `${reason.message} ${reason.until ?? ""} ${reason.command ?? ""}`;
    const group = groups.get(key) ?? { reason, scopes: new Set<string>() };
    groups.set(key, group);
    group.scopes.add(scope);
  }
  const lines = [...groups.values()].map(({ reason: { message, owner, until, command }, scopes }) => {
    const places = scopes.size > 1 ? ` (in ${scopes.size} places)` : "";
    const text = `${message}${places}${until === undefined ? "" : `, until ${until}`} (${owner})`;
    return { text, ...(command === undefined ? {} : { command }) };
  });
  if (lines.length === 0) return [{ text: "nothing" }];
  return lines.length <= shown ? lines : [...lines.slice(0, shown), { text: `and ${lines.length - shown} more` }];
}

function tellCommand({ command, effect }: { readonly command: string; readonly effect: string }): ToldLine {
  // "nothing to undo" is no command.
  return /^(?:meshroll|kubectl) /u.test(command) ? { text: effect, command } : { text: `${command}: ${effect}` };
}

function tellCampaign(status: CampaignStatus): ToldAnswers {
  return {
    where: cut(
      status.where.map(({ bucket, asked, actual, onTarget, total }) =>
        total === 0
          ? `${bucket}: no namespace`
          : `${bucket}: asked ${asked} %, is ${actual} % (${onTarget} of ${total})`,
      ),
    ),
    doing: orNothing(
      status.doing.map(({ cluster, batch, of, migrating, workloads }) =>
        migrating === 0
          ? `${cluster}: batch ${batch}/${of} is being taken`
          : `${cluster}: batch ${batch}/${of}, ${migrating} restarting: ${tellNames(workloads, migrating)}`,
      ),
    ),
    waiting: tellWaits(status.waitingFor),
    otherwise: orNothing(status.otherwise.map(({ text }) => text)),
    stop: tellCommand(status.stop),
    undo: tellCommand(status.undo),
  };
}

function tellFleet(status: FleetStatus): ToldAnswers {
  return {
    where: status.where.length === 0 ? ["not known: main says nothing that parses"] : cut(status.where.map(tellBucket)),
    doing: orNothing(
      status.doing.map(({ cluster, workloads, run }) => {
        const of = run === "" ? "" : ` of run ${run}`;
        return workloads.length === 0
          ? `${cluster}: a batch${of} is being taken`
          : `${cluster}: ${workloads.length} restarting${of}: ${tellNames(workloads, workloads.length)}`;
      }),
    ),
    waiting: tellWaits(status.waitingFor),
    otherwise: [status.otherwise],
    stop: tellCommand(status.stop),
    undo: tellCommand(status.undo),
  };
}

/** The five answers of a campaign, of the fleet, or of one run (`narrowToRun`), in the words of every surface. */
export function tellAnswers(status: CampaignStatus | FleetStatus): ToldAnswers {
  return status.kind === "CampaignStatus" ? tellCampaign(status) : tellFleet(status);
}

/** Buckets that are not where they were asked to be come first: they are what a run is about. */
function orderBuckets(where: readonly BucketStatus[]): readonly BucketStatus[] {
  const distance = ({ shares, mixed }: BucketStatus) =>
    mixed + shares.reduce((sum, { asked, actual }) => sum + Math.abs(asked - actual), 0);
  return where.toSorted((a, b) => distance(b) - distance(a));
}

/**
 * What speaks of a run: its campaign's status where one has it, else the fleet's, cut to what concerns the run. `moved` is
 * how many workloads went with it as far as it is known: they are what an undo reverts.
 */
export function narrowToRun(status: FleetStatus, run: string, moved?: number): CampaignStatus | FleetStatus {
  const campaign = status.campaigns?.find((each) => each.runs.includes(run));
  if (campaign !== undefined) return campaign;
  const mine = status.runs.find(({ id }) => id === run);
  const count = moved ?? (mine === undefined ? undefined : mine.migrated + mine.migrating);
  const effect = count === undefined ? "what it moved is rolled back" : `up to ${count} workloads are rolled back`;
  const isTold = `${status.undo.command} ${status.undo.effect}`.includes(run);
  return {
    ...status,
    where: orderBuckets(status.where),
    doing: status.doing.filter((each) => each.run === run),
    waitingFor: status.waitingFor.filter(
      ({ scope }) => scope === "all" || scope === `run/${run}` || scope.startsWith(`run/${run}@`),
    ),
    stop: { command: `meshroll pause run/${run} --reason "…"`, effect: "no new batches; in-flight rollouts continue" },
    undo: isTold
      ? status.undo
      : {
          command: `meshroll rollback run/${run} --reason "…"`,
          effect: `${effect}, in batches; a hold stays`,
        },
  };
}
