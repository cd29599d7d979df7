import { type Campaign, findNextStage } from "#libs/campaign";
import type { RolloutsRepository } from "#libs/git";
import type { ClusterSnapshot, Spec } from "#libs/plan";

import { listCampaignFiles } from "../../files/campaign-files.ts";
import { planCampaign, planStep } from "../../show/plans/campaign-plan.ts";
import { chooseStage } from "../../options/choose-stage.ts";
import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { addFleetOptions, type FleetOptions, readFleet } from "../../read/fleet-source.ts";
import { readInput } from "../../terminal/input.ts";
import { readNow } from "../../read/planner-time.ts";
import { printCampaignPlan } from "../../show/plans/print-campaign-plan.ts";
import { printFindings } from "../../text/print-findings.ts";
import { addChangeOptions, type ChangeOptions, proposeChange, signBody } from "../../requests/propose-change.ts";
import { compileTexts, fixSpec, readTexts } from "../../read/read-spec.ts";
import { withRepository } from "../../read/repository.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { readWidth, type Terminal, write } from "../../terminal/terminal.ts";
import { wrapText } from "../../text/wrap-text.ts";
import type { Sentence } from "../../terminal/sentence.ts";

type Options = ChangeOptions & FleetOptions & { readonly filename?: string };

/** The one file that was named. */
function chooseFile(...typed: readonly (string | undefined)[]): string {
  const [path, ...others] = typed.filter((each) => each !== undefined);
  if (path !== undefined && others.length === 0) return path;
  throw new Refusal(exitCodes.usage, path === undefined ? "say the campaign's file" : "one file is started at a time", [
    { command: "meshroll start campaigns/NAME.yml" },
  ]);
}

interface Found {
  readonly spec: Spec;
  readonly campaign: Campaign;
  readonly path: string;
}

/** The name in the file, read before the rest is checked. */
function readName(text: string): string {
  const found =
    /^\s*name:\s*["']?([a-z0-9-]+)["']?\s*(?:#.*)?$/mu.exec(text) ??
    /metadata:\s*\{[^}]*name:\s*["']?([a-z0-9-]+)/u.exec(text);
  return found?.[1] ?? "campaign";
}

/** Main with the campaign's file added, parsed; refuses with every finding of the file. */
async function checkFile(
  repository: RolloutsRepository,
  main: string,
  text: string,
  terminal: Terminal,
): Promise<Found> {
  const texts = await readTexts(repository, main);
  const path = `campaigns/${readName(text)}.yml`;
  const compiled = await compileTexts(main, { ...texts, campaigns: { ...texts.campaigns, [path]: text } });
  const own = compiled.findings.filter(({ file }) => file === path);
  await printFindings(own, text, terminal.stderr, terminal.env);
  const isRead = compiled.ok && compiled.spec.unread?.some(({ file }) => file === path) !== true;
  const campaign = isRead ? [...compiled.spec.campaigns.values()].find(({ file }) => file === path) : undefined;
  if (compiled.ok && campaign !== undefined) return { spec: compiled.spec, campaign, path };
  const others = compiled.findings.filter(({ file, severity }) => file !== path && severity === "error");
  const [other] = others;
  const what =
    other === undefined ? "the campaign has errors" : `main has errors: ${other.file}:${other.line} ${other.message}`;
  const help: Sentence =
    other === undefined ? [{ command: `meshroll validate ${path}` }, "  says the same offline"] : fixSpec(others);
  throw new Refusal(exitCodes.invalid, `${what}: it is not started`, help);
}

async function refuseUsedName(
  repository: RolloutsRepository,
  main: string,
  { path, campaign }: Found,
  text: string,
): Promise<void> {
  const done = path.replace("campaigns/", "campaigns/done/");
  if ((await repository.read(main, done)) !== undefined) {
    const help = "choose another name: the ledger keeps the finished campaign's records under this one";
    throw new Refusal(exitCodes.refused, `a campaign ${campaign.name} was finished before (${done})`, help);
  }
  const before = await repository.read(main, path);
  if (before === undefined || before === text) return;
  const help = `change ${path} by a pull request of your own: it counts for the next stage that is proposed`;
  throw new Refusal(exitCodes.refused, `campaign ${campaign.name} has begun, and its file on main differs`, help);
}

/** The workloads that would move first, as text. An unseen fleet is reported, and does not keep the campaign from starting. */
async function previewFirst(found: Found, options: Options, terminal: Terminal): Promise<string> {
  const { spec, campaign } = found;
  const chosen = chooseStage(campaign, spec.rollouts, undefined);
  if (chosen === undefined) return `all stages of ${campaign.name} are reached already: no workload will move\n`;
  let clusters: ReadonlyMap<string, ClusterSnapshot>;
  try {
    clusters = await readFleet(options, terminal);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `${wrapText(`! who moves first cannot be shown: ${error.message}`).join("\n")}\n`;
  }
  if (clusters.size === 0) return "! who moves first cannot be shown: no executor has published a cluster\n";
  const step = planStep(spec, campaign, chosen);
  if (!step.ok) return "";
  const now = await readNow(options, terminal);
  const plan = planCampaign({ spec, campaign, chosen, clusters, now }, step.changes, step.after);
  const empty = plan.findings.find(({ code, severity }) => code === "MR1106" && severity === "error");
  if (empty !== undefined) throw new Refusal(exitCodes.invalid, empty.message, empty.help);
  return printCampaignPlan(plan, spec, step.after, { width: readWidth(terminal), caller: terminal });
}

async function start(path: string, options: Options, terminal: Terminal): Promise<void> {
  const input = await readInput(path, terminal);
  if (!input.ok) {
    const known = listCampaignFiles(terminal.cwd).map((file): Sentence => [{ command: `meshroll start ${file}` }]);
    const help = known.length === 0 ? ["say the path of a campaign's file: campaigns/<name>.yml"] : known;
    throw new Refusal(exitCodes.invalid, `${input.name}: ${input.why}`, ...help);
  }
  const text = new TextDecoder().decode(input.bytes);
  await withRepository(options, terminal, async ({ repository, url }) => {
    const { main } = await repository.fetch();
    const found = await checkFile(repository, main, text, terminal);
    await refuseUsedName(repository, main, found, text);
    const { campaign } = found;
    const stages = campaign.stages.map(({ name }) => name);
    const first = findNextStage(campaign, found.spec.rollouts);
    if (options.output === "human") {
      await write(terminal.stdout, `${await previewFirst(found, options, terminal)}\n`);
    }
    const change = {
      kind: "Start",
      branch: `campaigns/${campaign.name}/start`,
      title: `campaign(${campaign.name}): start, ${campaign.replaces.join(", ")} → ${campaign.target}`,
      body: signBody(`${stages.length} stages: ${stages.join(", ")}`, "start", terminal),
      files: { [found.path]: text },
      after: [
        "  merging it moves no workload: it lets the planner propose stages",
        ...(first === undefined
          ? []
          : [[`  then it opens ${first.name};  `, { command: `meshroll status ${campaign.name}` }, "  says when"]]),
      ],
      facts: { campaign: campaign.name, target: campaign.target, stages },
    };
    await proposeChange({ repository, url, main }, change, options, terminal);
  });
}

/**
 * `meshroll start FILE`: checks a campaign's file against main, shows its first stage, and proposes the file by a pull request.
 */
export const define: Define = (command, { terminal }) => {
  addChangeOptions(addFleetOptions(command))
    .argument("[file]", "the campaign's file")
    .option("-f, --filename <path>", "the campaign's file, as an option")
    .action(async (path: string | undefined, options: Options) =>
      start(chooseFile(path, options.filename), options, terminal),
    );
};
