import { type Campaign, isReached } from "#libs/campaign";
import type { Spec } from "#libs/plan";
import { printReplicas } from "#libs/wording";
import { removeZeroShares, type ZeroShare } from "#libs/rollouts";

import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { addFleetOptions, type FleetOptions } from "../../read/fleet-source.ts";
import { type FleetUsers, listUsers, type RevisionUser } from "../../files/list-users.ts";
import { countOf } from "../../show/status/print-failures.ts";
import { requireEdit } from "./pin.ts";
import { addChangeOptions, type ChangeOptions, proposeChange, signBody } from "../../requests/propose-change.ts";
import { findCampaign, readSpec } from "../../read/read-spec.ts";
import { withRepository } from "../../read/repository.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { Sentence } from "../../terminal/sentence.ts";
import type { Terminal } from "../../terminal/terminal.ts";

type Options = ChangeOptions & FleetOptions;

/** How many are named before "and N more"; JSON has all of them. */
const shown = 10;

function refuseUnreached({ campaign, spec }: { readonly campaign: Campaign; readonly spec: Spec }): void {
  const open = campaign.stages.filter((stage) => !isReached(campaign, stage, spec.rollouts)).map(({ name }) => name);
  if (open.length === 0) return;
  throw new Refusal(
    exitCodes.refused,
    `${campaign.name} is not complete: ${open.join(", ")} ${open.length === 1 ? "is" : "are"} not reached`,
    `to give it up, move ${campaign.file} to campaigns/done/ by a pull request of your own`,
  );
}

/** Lines at 0 % of what the campaign replaced. */
function listZeros({ replaces }: Campaign, { rollouts }: Spec): readonly ZeroShare[] {
  return rollouts.buckets.flatMap(({ pattern, shares }) =>
    shares
      .filter(({ revision, weight }) => weight === 0 && replaces.includes(revision))
      .map(({ revision }) => ({ pattern, revision })),
  );
}

function listShown(found: readonly RevisionUser[]): readonly string[] {
  const lines = found.slice(0, shown).map(({ cluster, workload, revision, pods }) => {
    return `    ${cluster} ${workload}  ${pods === 0 ? "" : `${countRunning([{ workload, pods }])} on `}${revision}`;
  });
  return found.length > shown ? [...lines, `    … ${found.length - shown} more (-o json has all)`] : lines;
}

/** `2 pods and 1 VM`: what runs of a group of VMs is no pod. */
function countRunning(found: readonly Pick<RevisionUser, "workload" | "pods">[]): string {
  const isGroup = ({ workload }: Pick<RevisionUser, "workload">): boolean => workload.includes("/WorkloadGroup/");
  const sum = (of: typeof found): number => of.reduce((all, { pods }) => all + pods, 0);
  const [vms, pods] = [sum(found.filter(isGroup)), sum(found.filter((each) => !isGroup(each)))];
  return vms > 0 && pods === 0 ? countOf(vms, "VM") : printReplicas({ pods, vms });
}

function countPods(found: readonly RevisionUser[]): number {
  return found.reduce((sum, { pods }) => sum + pods, 0);
}

function describeLive(users: readonly RevisionUser[], old: string, isSeen: boolean): readonly string[] {
  if (users.length === 0)
    return [`  no live pod and no VM runs ${old} any more${isSeen ? "" : ", as far as was seen"}`];
  const [are, they] = users.length === 1 ? ["still runs", "it is"] : ["still run", "they are"];
  const head = `! ${countOf(users.length, "workload")} ${are} ${old}: keep its istiod until ${they} gone`;
  return [head, ...listShown(users)];
}

function describeAsks(asks: readonly RevisionUser[], old: string): readonly string[] {
  if (asks.length === 0) return [];
  return [`! workloads without live pods, whose next pod would run ${old}:`, ...listShown(asks)];
}

/** Ended pods run nothing. They are named so that a pod that was counted before is not missed. */
function describeEnded({ completed, failed }: FleetUsers, old: string): readonly string[] {
  const [done, broken] = [countPods(completed), countPods(failed)];
  return done + broken === 0 ? [] : [`  ended on ${old}: ${countOf(done, "completed pod")}, ${broken} failed`];
}

/**
 * A workload whose istiod is removed gets into trouble, so clusters that were not seen are named before it says that there is
 * no user.
 */
function describeUsers(found: FleetUsers | string, { replaces }: Campaign): readonly Sentence[] {
  const old = replaces.join(", ");
  if (typeof found === "string") return [`! the workloads that still run ${old} cannot be listed: ${found}`];
  const { users, asks, installed, unseen } = found;
  return [
    ...describeLive(users, old, unseen.length === 0),
    ...describeAsks(asks, old),
    ...describeEnded(found, old),
    ...(unseen.length === 0 ? [] : [`! not seen, or only in part: ${unseen.join(", ")}`]),
    ...(installed.length === 0 ? [] : [`  installed in ${installed.join(", ")}; before it is uninstalled:`]),
    ...(installed.length === 0
      ? []
      : replaces.map((each): Sentence => ["    ", { command: `meshroll retire ${each}` }])),
  ];
}

/** It is over only where no live pod runs what it replaced, and every cluster was seen. */
function nameChange({ name, target, replaces }: Campaign, users: FleetUsers | string): string {
  if (typeof users === "string") return `campaign(${name}): finish`;
  const pods = countPods(users.users);
  if (pods > 0) return `campaign(${name}): finish, with ${countRunning(users.users)} left on ${replaces.join(", ")}`;
  return users.unseen.length > 0
    ? `campaign(${name}): finish`
    : `campaign(${name}): finish, ${target} is everywhere it should be`;
}

/** For the reviewers of the pull request. */
function describeLeft(users: FleetUsers | string): string {
  if (typeof users === "string" || users.users.length === 0) return "";
  const lines = users.users.slice(0, shown).map(({ cluster, workload, revision, pods }) => {
    return `- \`${cluster}\` \`${workload}\`: ${countRunning([{ workload, pods }])} on \`${revision}\``;
  });
  const more = users.users.length > shown ? [`- and ${users.users.length - shown} more`] : [];
  return `\n\nNot finished: these still run what it replaced.\n\n${[...lines, ...more].join("\n")}`;
}

async function finish(name: string, options: Options, terminal: Terminal): Promise<void> {
  await withRepository(options, terminal, async ({ repository, url }) => {
    const { rolloutsPath } = await import("#libs/plan");
    const { main } = await repository.fetch();
    const spec = await readSpec(repository, url, main);
    const campaign = findCampaign(spec, name);
    refuseUnreached({ campaign, spec });
    const zeros = listZeros(campaign, spec);
    const text = (await repository.read(main, rolloutsPath)) ?? "";
    const done = campaign.file.replace("campaigns/", "campaigns/done/");
    const users = await listUsers(campaign.replaces, options, terminal);
    const change = {
      kind: "Finish",
      branch: `campaigns/${campaign.name}/finish`,
      title: nameChange(campaign, users),
      body: signBody(
        `${zeros.length} lines at 0 % are removed; ${campaign.file} goes to campaigns/done/${describeLeft(users)}`,
        "finish",
        terminal,
      ),
      files: {
        [campaign.file]: null,
        [done]: (await repository.read(main, campaign.file)) ?? "",
        ...(zeros.length === 0 ? {} : { [rolloutsPath]: requireEdit(removeZeroShares(text, zeros)) }),
      },
      after: ["  merging it moves no workloads: no assignment changes", ...describeUsers(users, campaign)],
      facts: {
        campaign: campaign.name,
        removed: zeros,
        ...listFacts(users),
      },
    };
    await proposeChange({ repository, url, main }, change, options, terminal);
  });
}

/** For programs; null where the fleet cannot be seen. `finished`: no live pod runs what was replaced. */
function listFacts(found: FleetUsers | string): Readonly<Record<string, unknown>> {
  const names = ["asks", "completed", "failed", "unseen"] as const;
  if (typeof found === "string")
    return { finished: null, leftovers: null, ...Object.fromEntries(names.map((name) => [name, null])) };
  const finished = found.users.length === 0 && (found.unseen.length === 0 || null);
  return { finished, leftovers: found.users, ...Object.fromEntries(names.map((name) => [name, found[name]])) };
}

/**
 * `meshroll finish CAMPAIGN`: removes lines at 0 % of what it replaced, moves its file to `campaigns/done/`, and lists who
 * still uses the old revision.
 */
export const define: Define = (command, { terminal }) => {
  addChangeOptions(addFleetOptions(command))
    .argument("<campaign>", "one whose stages are all reached")
    .action(async (name: string, options: Options) => finish(name, options, terminal));
};
