import { escapeMarkdown, linkMarkdown, quoteMarkdown } from "#libs/scm";
import { addressPage } from "#libs/input";
import { type FleetStatus, isUnderRollback, type RunStatus } from "#libs/plan";
import { type Choice, groupReasons, listChoices, nameResumeVerb, printManagerEnd, printText } from "#libs/wording";

/** Marks the issue, also for the planner, which reads its comments. */
export const dashboardMarker = "<!-- meshroll:dashboard -->";

/** Most lines of a section: an issue has at most 65,536 characters. */
const shown = 25;
/** Most field managers of which it is said how their owners end what they put back. */
const mostManagers = 5;

function printSection(name: string, lines: readonly string[]): readonly string[] {
  const more = lines.length > shown ? [`- … and ${lines.length - shown} more`] : [];
  const body = lines.length === 0 ? ["nothing"] : [...lines.slice(0, shown).map((line) => `- ${line}`), ...more];
  return [`### ${name}`, "", ...body, ""];
}

function nameRun({ id, subject }: RunStatus, { campaigns = [], page }: FleetStatus): string {
  const campaign = campaigns.find(({ runs }) => runs.includes(id));
  const { stage } = campaign ?? {};
  const name = linkMarkdown(addressPage(page, { code: "Run", id }), quoteMarkdown(`run/${id}`));
  if (campaign === undefined) return `${name} ${escapeMarkdown(subject, 120)}`;
  const at = stage === undefined ? "" : ` · ${escapeMarkdown(stage.name, 80)} [${stage.index}/${stage.of}]`;
  return `**${escapeMarkdown(campaign.name, 80)}**${at}, ${name}`;
}

function showRunning(status: FleetStatus): readonly string[] {
  const { runs } = status;
  return runs.map((run) => {
    const { migrated, idle, workloads, migrating, waiting, skippedTotal } = run;
    const rest = [
      ...(idle > 0 ? [`${idle} idle`] : []),
      ...(waiting > 0 ? [`${waiting} waiting`] : []),
      ...(skippedTotal > 0 ? [`${skippedTotal} skipped`] : []),
    ];
    const counts = [`${migrated} of ${workloads} workloads`, `${migrating} migrating`, ...rest].join(", ");
    return `${nameRun(run, status)}: ${counts}`;
  });
}

/** Several possible actions, each on its line with its effect. */
function showWays(choices: readonly Choice[]): string {
  const lines = choices.map(
    ({ command, effect }) => `\n  - ${quoteMarkdown(command, 200)}: ${escapeMarkdown(printText(effect), 200)}`,
  );
  return lines.join("");
}

/** A wait that several places report is shown once. */
function showWaiting({ waiting, campaigns = [] }: FleetStatus): readonly string[] {
  const waits = [...campaigns.flatMap((each) => each.waiting), ...waiting];
  const lines = waits.map(({ message, owner, until, command, choices = [] }) => {
    const deadline = until === undefined ? "" : `, until ${escapeMarkdown(until, 40)}`;
    const next = command === undefined || choices.length > 0 ? "" : `: ${quoteMarkdown(command, 200)}`;
    return `${escapeMarkdown(printText(message), 300)}${deadline}. ${escapeMarkdown(owner, 80)}${next}${showWays(choices)}`;
  });
  return [...new Set(lines)];
}

function showApprovals({ campaigns = [] }: FleetStatus): readonly string[] {
  return campaigns.flatMap(({ name, pull }) => {
    if (pull?.state !== "open" || pull.checks?.approvals === "success") return [];
    const plan = pull.checks?.plan === "failure" ? " (its plan is red)" : "";
    return [`#${pull.number} **${escapeMarkdown(name, 80)}** · ${escapeMarkdown(pull.stage, 80)}${plan}`];
  });
}

function showHeld({ stops }: FleetStatus): readonly string[] {
  return stops.map((stop) => {
    const { scope, cause, who, why, until, overdue, command } = stop;
    const word = nameResumeVerb(stop) === "unhold" ? "held" : "paused";
    const end = until === undefined ? "" : `, ${overdue ? "overdue since" : "until"} ${escapeMarkdown(until, 40)}`;
    const said = `by ${escapeMarkdown(who, 80)}: ${escapeMarkdown(why, 300)}`;
    const choices = listChoices({ scope, cause, isRollingBack: isUnderRollback(stop, stops) });
    const next = choices.length > 0 ? showWays(choices) : ` Resume: ${quoteMarkdown(command, 200)}`;
    return `${quoteMarkdown(scope, 120)} ${word} ${said}${end}.${next}`;
  });
}

function showPutBack({ putBack }: FleetStatus): readonly string[] {
  if (putBack === undefined) return [];
  const { message, insists, list, command, managers = [] } = putBack;
  const more = insists === undefined ? "" : `; ${escapeMarkdown(insists, 400)}`;
  const ends = managers.slice(0, mostManagers).map(({ manager, end }) => {
    return `\n  - ${escapeMarkdown(printManagerEnd(manager, end), 500)}`;
  });
  const ways = `${quoteMarkdown(list, 80)} lists them, ${quoteMarkdown(command, 120)} brings them back`;
  return [`${escapeMarkdown(message, 200)}: ${ways}${more}${ends.join("")}`];
}

function showUnmoved({ unmoved }: FleetStatus): readonly string[] {
  if (unmoved === undefined) return [];
  const { message, insists, list, command } = unmoved;
  const more = insists === undefined ? "" : `; ${escapeMarkdown(insists, 400)}`;
  const ways = `${quoteMarkdown(list, 80)} lists them, ${quoteMarkdown(command, 120)} brings them to what main says`;
  return [`${escapeMarkdown(message, 300)}: ${ways}${more}`];
}

function showStragglers({ runs, clusters }: FleetStatus): readonly string[] {
  const groups = groupReasons(
    runs.flatMap((run) => run.skipped),
    0,
  );
  const skipped = groups.map(({ reason, count }) => `${count} × ${escapeMarkdown(reason, 200)}`);
  const drift = clusters
    .filter((cluster) => cluster.drift > 0)
    .map(
      ({ name, drift: count }) =>
        `${quoteMarkdown(name, 60)}: ${count} differ from rollouts.yml, and no run moves them ` +
        `(${quoteMarkdown(`meshroll get drift --cluster ${name}`, 120)})`,
    );
  return [...skipped, ...drift];
}

function showDone({ campaigns = [] }: FleetStatus): readonly string[] {
  return campaigns.map(({ name, target, state, stages }) => {
    const done = stages.filter((stage) => stage.state === "Completed");
    const word = state === "Completed" ? "complete" : `${done.length} of ${stages.length} stages`;
    const last = done.at(-1)?.name;
    const upTo = state === "Completed" || last === undefined ? "" : `, up to ${escapeMarkdown(last, 80)}`;
    return `**${escapeMarkdown(name, 80)}** to ${quoteMarkdown(target, 80)}: ${word}${upTo}`;
  });
}

function linkPage({ page }: FleetStatus): string {
  const address = addressPage(page, { code: "Fleet" });
  return address === undefined ? "" : `<a href="${address}">The fleet on the page</a>. `;
}

/** The body of the dashboard issue: what runs, what waits for whom, and what is held. Edited in place. */
export function renderDashboard(status: FleetStatus): string {
  return [
    dashboardMarker,
    ...printSection("Running", showRunning(status)),
    ...printSection("Waiting", showWaiting(status)),
    ...printSection("Needs approval", showApprovals(status)),
    ...printSection("Held", showHeld(status)),
    ...printSection("Stragglers", [...showPutBack(status), ...showUnmoved(status), ...showStragglers(status)]),
    ...printSection("Done", showDone(status)),
    `<sub>${linkPage(status)}As of ${escapeMarkdown(status.at, 40)}; edited when something happens. ` +
      "<code>/meshroll help</code> lists what a comment can ask.</sub>",
  ].join("\n");
}

/** The dashboard without small changes of figures, for a digest: a run counts as changed at each tenth of its progress. */
export function nameDashboard(status: FleetStatus): string {
  const tenth = ({ migrated, workloads }: RunStatus): number => Math.floor((10 * migrated) / Math.max(1, workloads));
  const runs = status.runs.map((run) => {
    return {
      ...run,
      migrated: tenth(run),
      workloads: 10,
      idle: Math.sign(run.idle),
      migrating: 0,
      waiting: Math.sign(run.waiting),
    };
  });
  return renderDashboard({ ...status, at: "", runs });
}
