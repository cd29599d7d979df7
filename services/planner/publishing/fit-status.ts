import type { FleetStatus } from "#libs/plan";
import { renderReason } from "#libs/wording";

/** NATS refuses values above 1 MiB; redacting a token may still make the text longer. @internal */
export const statusLimitBytes = 900 * 1024;

/** How many waits and stops are kept when nearly everything else is left out. */
const mostWaits = 200;
const mostStops = 500;

type Fit = (status: FleetStatus) => FleetStatus;

const shorten: Fit = (status) => ({
  ...status,
  rollouts: status.rollouts.map((each) => ({ ...each, workloads: each.workloads.slice(0, 5) })),
  runs: status.runs.map((run) => ({ ...run, skipped: run.skipped.slice(0, 10) })),
  ...(status.skipped === undefined ? {} : { skipped: { ...status.skipped, items: [] } }),
  clusters: status.clusters.map((each) => ({
    ...each,
    problems: each.problems.slice(0, 3).map((problem) => problem.slice(0, 200)),
  })),
});

const keepFigures: Fit = (status) => {
  const { campaigns: _, ...rest } = shorten(status);
  const bare = rest.clusters.map((each) => ({ ...each, problems: [] }));
  return { ...rest, where: [], rollouts: [], clusters: bare };
};

const keepWhatMatters: Fit = (status) => ({
  ...keepFigures(status),
  runs: [],
  clusters: [],
  waiting: status.waiting.slice(0, mostWaits),
  stops: status.stops.slice(0, mostStops),
});

/** Tried in this order, until the text fits: the least important parts go first. */
const steps: readonly { readonly fit: Fit; readonly what: string }[] = [
  { fit: shorten, what: "lists of workloads and problems are cut" },
  { fit: keepFigures, what: "buckets, campaigns, batches and problems are left out" },
  { fit: keepWhatMatters, what: "all but stops and waits is left out" },
];

function addWait(status: FleetStatus, what: string): FleetStatus {
  const wait = { scope: "all", ...renderReason({ code: "StatusTooLarge", what }) };
  return { ...status, waiting: [wait, ...status.waiting] };
}

/**
 * The status as text that fits into one value of the bus. What was left out is named by a wait in it; stops and waits are kept
 * the longest.
 */
export function fitStatus(status: FleetStatus, print: (status: FleetStatus) => string): string {
  let text = print(status);
  for (const { fit, what } of steps) {
    if (Buffer.byteLength(text) <= statusLimitBytes) return text;
    text = print(addWait(fit(status), what));
  }
  return text;
}
