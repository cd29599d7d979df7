import type { FleetStatus } from "#libs/plan";
import { renderReason } from "#libs/wording";

/** The bus ends at 1 MiB; a token that is redacted may become longer than it was. @internal */
export const statusLimitBytes = 900 * 1024;

/** What people must act on is kept, these many of it. */
const mostWaits = 200;
const mostStops = 500;

type Fit = (status: FleetStatus) => FleetStatus;

const shorten: Fit = (status) => ({
  ...status,
  doing: status.doing.map((each) => ({ ...each, workloads: each.workloads.slice(0, 5) })),
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
  return { ...rest, where: [], doing: [], clusters: bare };
};

const keepWhatMatters: Fit = (status) => ({
  ...keepFigures(status),
  runs: [],
  clusters: [],
  waitingFor: status.waitingFor.slice(0, mostWaits),
  stops: status.stops.slice(0, mostStops),
});

/** What is left out, the least important first. */
const steps: readonly { readonly fit: Fit; readonly what: string }[] = [
  { fit: shorten, what: "lists of workloads and problems are cut" },
  { fit: keepFigures, what: "buckets, campaigns, batches and problems are left out" },
  { fit: keepWhatMatters, what: "all but stops and waits is left out" },
];

function tell(status: FleetStatus, what: string): FleetStatus {
  const wait = { scope: "all", ...renderReason({ code: "StatusTooLarge", what }) };
  return { ...status, waitingFor: [wait, ...status.waitingFor] };
}

/** The status as the bus takes it, and what was left out of it named in it; stops and waits stay. */
export function fitStatus(status: FleetStatus, print: (status: FleetStatus) => string): string {
  let text = print(status);
  for (const { fit, what } of steps) {
    if (Buffer.byteLength(text) <= statusLimitBytes) return text;
    text = print(tell(fit(status), what));
  }
  return text;
}
