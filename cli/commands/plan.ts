import type { RolloutsRepository } from "#libs/git";
import type { SpecTexts } from "#libs/repository";
import { type ClusterSnapshot, type Proposal, type Spec, willRestart } from "#libs/plan";
import { editShares, type Finding } from "#libs/rollouts";
import { Option } from "commander";

import { sayCommand } from "../terminal/called-as.ts";
import type { CampaignPlan } from "../show/plans/campaign-plan-form.ts";
import { findEmptyLater, planCampaign, planStep, type StageStep } from "../show/plans/campaign-plan.ts";
import { chooseStage } from "../options/choose-stage.ts";
import { type IdleFlags, refuseIdle } from "../session/idle-flags.ts";
import type { Define } from "../terminal/command.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { addFleetOptions, type FleetOptions, readFleet } from "../read/fleet-source.ts";
import { addOutputOption } from "../options/output-option.ts";
import { readNow } from "../read/planner-time.ts";
import { type PlanPart, printCampaignPlan, printPart } from "../show/plans/print-campaign-plan.ts";
import { printAnnotation, printFindingAnnotations } from "../text/github-annotations.ts";
import { printFindings } from "../text/print-findings.ts";
import { listPlan, printPlan } from "../show/plans/print-plan.ts";
import { readSavedFleet } from "../show/plans/simulate-fleet.ts";
import { checkZone, printAge, type TimeOptions } from "../text/print-time.ts";
import { findCampaign, listFindings, fixSpec, readSpec, readTexts, readWarned } from "../read/read-spec.ts";
import { addRepositoryOption, type RepositoryOptions, withRepository } from "../read/repository.ts";
import { Refusal } from "../terminal/refusal.ts";
import { readPullNumber } from "../requests/subjects/pull-request.ts";
import { findWaitingPull } from "../requests/subjects/waiting-pull.ts";
import type { WaitingPull } from "../requests/subjects/list-waiting.ts";
import { readWidth, type Terminal, write } from "../terminal/terminal.ts";

interface Options extends FleetOptions, RepositoryOptions, TimeOptions {
  readonly output: "human" | "json" | "github";
  readonly fleet?: string;
  readonly from?: string;
  readonly to?: string;
  readonly show?: PlanPart;
  readonly exitCode?: boolean;
}

/** What decides the exit code. */
interface PlanSummary {
  readonly hasErrors: boolean;
  readonly movedNamespaces: number;
}

/** The files that differ between two commits. */
async function listChanged(repository: RolloutsRepository, files: readonly string[], [a, b]: readonly [Spec, Spec]) {
  const changed: string[] = [];
  for (const file of files) {
    const texts = [await repository.read(a.commit, file), await repository.read(b.commit, file)];
    if (texts[0] !== texts[1]) changed.push(file);
  }
  return changed;
}

/** A merge that breaks a campaign is refused, as `meshroll/plan` does on pull requests. */
async function refuseBroken(
  repository: RolloutsRepository,
  [before, after]: readonly [Spec, Spec],
  { output }: Options,
  terminal: Terminal,
): Promise<void> {
  const { listNewlyUnread } = await import("#libs/plan");
  const known = before.unread?.map(({ file }) => file) ?? [];
  const changed = await listChanged(repository, known, [before, after]);
  const { campaigns, folder } = listNewlyUnread(before, after, changed);
  const findings = [...(folder === undefined ? [] : [folder]), ...campaigns.map(({ finding }) => finding)];
  if (findings.length === 0) return;
  if (output === "github") await write(terminal.stdout, printFindingAnnotations(findings));
  const found = listFindings(findings).replaceAll("\n", "\n  ");
  const what = `${after.commit.slice(0, 12)} has campaigns with errors`;
  throw new Refusal(exitCodes.invalid, `${what}:\n  ${found}`, fixSpec(findings));
}

interface Printable {
  readonly json: object;
  readonly found: Pick<Proposal, "moves" | "findings"> & Partial<Pick<Proposal, "idlePatterns">>;
  readonly human: () => string;
}

/** Annotations at the findings' lines, and one for the whole. */
function annotate({ moves, ...found }: Printable["found"]): string {
  const findings = [...found.findings, ...(found.idlePatterns ?? [])];
  const restarts = moves.flatMap(({ workloads }) => workloads.filter(willRestart));
  const message = `${moves.length} namespaces move, ${restarts.length} workloads restart`;
  return `${printFindingAnnotations(findings)}${printAnnotation({ level: "notice", title: "meshroll plan", message })}`;
}

async function writeIn({ output }: Options, terminal: Terminal, { json, found, human }: Printable): Promise<void> {
  if (output === "json") return write(terminal.stdout, `${JSON.stringify(json, undefined, 2)}\n`);
  if (output === "github") return write(terminal.stdout, annotate(found));
  return write(terminal.stdout, human());
}

async function compareRefs(
  from: string,
  options: Options,
  clusters: ReadonlyMap<string, ClusterSnapshot>,
  terminal: Terminal,
): Promise<PlanSummary> {
  return withRepository(options, terminal, async ({ repository, url }) => {
    const { proposeMoves } = await import("#libs/plan");
    const before = await readSpec(repository, url, from);
    const { spec: after, warnings } = await readWarned(repository, url, options.to ?? "main");
    await refuseBroken(repository, [before, after], options, terminal);
    const moves = proposeMoves(before, after, clusters.values(), Date.now());
    const proposal = { ...moves, idlePatterns: [...warnings, ...moves.idlePatterns] };
    const report = {
      apiVersion: "meshroll.dev/v1",
      kind: "Plan",
      from: before.commit,
      to: after.commit,
      ...listPlan(proposal),
    };
    await writeIn(options, terminal, {
      json: report,
      found: proposal,
      human: () => printPlan(proposal, before, after, readWidth(terminal)),
    });
    const hasErrors = proposal.findings.some(({ severity }) => severity === "error");
    return { hasErrors, movedNamespaces: proposal.moves.length };
  });
}

async function writePlan(
  plan: CampaignPlan,
  spec: Spec,
  after: Spec,
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const width = readWidth(terminal);
  const human = (): string =>
    options.show === undefined
      ? printCampaignPlan(plan, spec, after, { ...options, width, caller: terminal })
      : printPart(plan, options.show, width, options);
  return writeIn(options, terminal, { json: plan, found: plan, human });
}

/** Why `rollouts.yml` cannot be edited in place; empty when it can. */
function checkEdit(step: StageStep, rollouts: string, isNext: boolean): readonly Finding[] {
  if (!step.ok) return step.findings;
  // The edits of earlier stages are not in it yet.
  const edited = isNext ? editShares(rollouts, step.changes) : { ok: true as const };
  return edited.ok ? [] : edited.findings;
}

async function refusePlan(
  findings: readonly Finding[],
  texts: SpecTexts,
  what: string,
  terminal: Terminal,
): Promise<never> {
  for (const [path, text] of Object.entries({ "rollouts.yml": texts.rollouts ?? "", ...texts.campaigns })) {
    const own = findings.filter(({ file }) => file === path);
    await printFindings(own, text, terminal.stderr, terminal.env);
  }
  throw new Refusal(exitCodes.invalid, `${what} cannot be planned`, "fix that by a pull request to main");
}

async function writeReached(
  campaign: string,
  commit: string,
  options: Options,
  terminal: Terminal,
): Promise<PlanSummary> {
  const done = { apiVersion: "meshroll.dev/v1", kind: "CampaignPlan", campaign, commit, moves: [] };
  const human = (): string =>
    `all stages of ${campaign} are reached: no workload moves\n` +
    `  next:  ${sayCommand(`meshroll finish ${campaign}`, terminal)}\n`;
  await writeIn(options, terminal, { json: done, found: { moves: [], findings: [] }, human });
  return { hasErrors: false, movedNamespaces: 0 };
}

async function planNamed(
  name: string,
  options: Options,
  clusters: ReadonlyMap<string, ClusterSnapshot>,
  terminal: Terminal,
): Promise<PlanSummary> {
  const now = await readNow(options, terminal);
  return withRepository(options, terminal, async ({ repository, url }) => {
    const spec = await readSpec(repository, url, options.from ?? "main");
    const campaign = findCampaign(spec, name);
    const chosen = chooseStage(campaign, spec.rollouts, options.to);
    if (chosen === undefined) return writeReached(campaign.name, spec.commit, options, terminal);
    const texts = await readTexts(repository, spec.commit);
    const step = planStep(spec, campaign, chosen);
    const faults = checkEdit(step, texts.rollouts ?? "", chosen.before.length === 0);
    if (!step.ok || faults.length > 0) return refusePlan(faults, texts, `${chosen.stage.name} of ${name}`, terminal);
    const question = { spec: step.base, campaign, chosen, clusters, now };
    const planned = planCampaign(question, step.changes, step.after);
    const later = options.to === undefined ? findEmptyLater(question, step.after) : [];
    const plan = { ...planned, findings: [...planned.findings, ...later] };
    await writePlan(plan, step.base, step.after, options, terminal);
    const hasErrors = plan.findings.some(({ severity }) => severity === "error");
    return { hasErrors, movedNamespaces: plan.moves.length };
  });
}

/**
 * A fleet that was never published has nothing to move, and a plan without moves would be misleading. An old inventory is
 * named.
 */
async function checkFleet(clusters: ReadonlyMap<string, ClusterSnapshot>, terminal: Terminal): Promise<void> {
  if (clusters.size === 0) {
    const help = "is one running?  --kubeconfig FILE  looks at the clusters themselves";
    throw new Refusal(exitCodes.tryLater, "no executor has published a cluster: the moves cannot be computed", help);
  }
  for (const { name, fresh, ageMs } of clusters.values()) {
    const how =
      ageMs > 60_000 ? `what runs there was last seen ${printAge(ageMs)} ago` : "not all of it was published yet";
    if (!fresh) await write(terminal.stderr, `! ${name}: ${how}\n`);
  }
}

/** Names the pull request on stderr, because it may have been chosen by default. */
async function namePull({ number, stage, url }: WaitingPull, { stderr }: Terminal): Promise<void> {
  await write(stderr, `pull request #${number}${stage === undefined ? "" : `, ${stage}`}  ${url}\n`);
}

/** The named pull request, or the waiting one where none was named; undefined where something else was named. */
async function choosePull(
  name: string | undefined,
  options: Options,
  terminal: Terminal,
): Promise<WaitingPull | undefined> {
  const number = name === undefined ? undefined : readPullNumber(name);
  if (number === undefined && (name !== undefined || options.from !== undefined)) return undefined;
  const pull = await findWaitingPull(number, options, terminal);
  await namePull(pull, terminal);
  return pull;
}

async function planSubject(name: string | undefined, options: Options, terminal: Terminal): Promise<PlanSummary> {
  const pull = await choosePull(name, options, terminal);
  const { fleet, from = "main" } = options;
  const clusters = await (fleet === undefined ? readFleet(options, terminal) : readSavedFleet(fleet, terminal));
  await checkFleet(clusters, terminal);
  if (pull !== undefined) return compareRefs(from, { ...options, to: pull.branch }, clusters, terminal);
  if (name === undefined) return compareRefs(from, options, clusters, terminal);
  return planNamed(name, options, clusters, terminal);
}

function isOfCampaign([name]: readonly string[]): boolean {
  return name !== undefined && readPullNumber(name) === undefined;
}

const idle: readonly IdleFlags<Options>[] = [
  {
    flags: ["show", "tz"],
    when: (_, args) => !isOfCampaign(args),
    because: "would do nothing here: only the plan of a campaign has such parts",
    fix: [{ command: "meshroll plan CAMPAIGN --show moves" }],
  },
  {
    flags: ["show"],
    when: ({ output }) => output !== "human",
    because: "would do nothing: -o json has all lists, -o github counts",
  },
  {
    flags: ["to"],
    when: ({ from }, args) => !isOfCampaign(args) && (from === undefined || args.length > 0),
    because: "would do nothing: the plan of a pull request is always that of its head",
    fix: ["two states of the file:  ", { command: "meshroll plan --from REF --to REF" }],
  },
];

/** `meshroll plan CAMPAIGN [--to STAGE|PERCENT]`, or `plan --from REF [--to REF]`: which workloads would move, and at what risk. */
export const define: Define = (command, { terminal, finish }) => {
  refuseIdle(addOutputOption(addRepositoryOption(addFleetOptions(command)), ["human", "json", "github"]), idle)
    .argument(
      "[campaign]",
      "a campaign: what its next stage, or that of --to, moves; or a pull request ('#12', pull/12; default: the one that waits)",
    )
    .option("--from <ref>", "the state before: a branch, a tag or a commit (with a campaign: main)")
    .option("--to <what>", "with a campaign: its stage or percentage; else the state after (main)")
    .addOption(
      new Option("--show <part>", "print only this list of a campaign's plan").choices([
        "moves",
        "blocked",
        "leftover",
      ]),
    )
    .addOption(
      new Option("--fleet <file>", "a fleet that simulate --save wrote, instead of what runs now").conflicts([
        "nats",
        "kubeconfig",
        "clusters",
      ]),
    )
    .option("--exit-code", "exit with 2 if any namespace moves")
    .option("--tz <zone>", "time zone, as Europe/Berlin (default: this machine's)")
    .action(async (name: string | undefined, options: Options) => {
      checkZone(options);
      const { hasErrors, movedNamespaces } = await planSubject(name, options, terminal);
      if (hasErrors) finish(exitCodes.invalid);
      else if (options.exitCode === true && movedNamespaces > 0) finish(exitCodes.changes);
    });
};
