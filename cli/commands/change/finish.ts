import { type Campaign, isReached } from "#libs/campaign";
import type { Spec } from "#libs/plan";
import { removeZeroShares, type ZeroShare } from "#libs/rollouts";

import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { addFleetOptions, type FleetOptions } from "../../read/fleet-source.ts";
import { listUsers, type RevisionUsers } from "../../files/list-users.ts";
import { requireEdit } from "./pin.ts";
import { addChangeOptions, type ChangeOptions, proposeChange, signBody } from "../../requests/propose-change.ts";
import { findCampaign, readSpec } from "../../read/read-spec.ts";
import { withRepository } from "../../read/repository.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

type Options = ChangeOptions & FleetOptions;

/** How many are named before "and N more"; JSON has all of them. */
const shown = 10;

function refuseUnreached({ campaign, spec }: { readonly campaign: Campaign; readonly spec: Spec }): void {
  const open = campaign.stages.filter((stage) => !isReached(campaign, stage, spec.rollouts)).map(({ name }) => name);
  if (open.length === 0) return;
  throw new Refusal(
    exitCodes.refused,
    `${campaign.name} is not through: ${open.join(", ")} ${open.length === 1 ? "is" : "are"} not reached`,
    `to give it up, move ${campaign.file} to campaigns/done/ by a pull request of your own`,
  );
}

/** Lines at 0 % that the campaign left behind. */
function listZeros({ replaces }: Campaign, { rollouts }: Spec): readonly ZeroShare[] {
  return rollouts.buckets.flatMap(({ pattern, shares }) =>
    shares
      .filter(({ revision, weight }) => weight === 0 && replaces.includes(revision))
      .map(({ revision }) => ({ pattern, revision })),
  );
}

/** A workload whose istiod is removed is in trouble: what was not seen is said before anyone believes that there is none. */
function describeUsers(found: RevisionUsers | string, { replaces }: Campaign): readonly string[] {
  const old = replaces.join(", ");
  if (typeof found === "string") return [`! who still runs ${old} cannot be shown: ${found}`];
  const { users, unseen } = found;
  const doubt = unseen.length === 0 ? [] : [`! not seen, or not wholly: ${unseen.join(", ")}`];
  if (users.length === 0)
    return [`  no workload runs ${old} any more${unseen.length === 0 ? "" : ", as far as was seen"}`, ...doubt];
  const lines = users
    .slice(0, shown)
    .map(({ cluster, workload, revision }) => `    ${cluster} ${workload}  ${revision}`);
  const more = users.length > shown ? [`    … ${users.length - shown} more (-o json has all)`] : [];
  const one = users.length === 1;
  const head = `! ${users.length} workload${one ? "" : "s"} still run${one ? "s" : ""} ${old}: keep its istiod until they are gone`;
  return [head, ...lines, ...more, ...doubt];
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
      title: `campaign(${campaign.name}): finish, ${campaign.target} is everywhere it should be`,
      body: signBody(`${zeros.length} lines at 0 % go; ${campaign.file} goes to campaigns/done/`, "finish", terminal),
      files: {
        [campaign.file]: null,
        [done]: (await repository.read(main, campaign.file)) ?? "",
        ...(zeros.length === 0 ? {} : { [rolloutsPath]: requireEdit(removeZeroShares(text, zeros)) }),
      },
      after: ["  merging it moves no workloads: no assignment changes", ...describeUsers(users, campaign)],
      facts: {
        campaign: campaign.name,
        removed: zeros,
        leftovers: typeof users === "string" ? null : users.users,
        unseen: typeof users === "string" ? null : users.unseen,
      },
    };
    await proposeChange({ repository, url, main }, change, options, terminal);
  });
}

/** `meshroll finish CAMPAIGN`: lines at 0 % of what it replaced go, its file to `campaigns/done/`, and leftovers are listed. */
export const define: Define = (command, { terminal }) => {
  addChangeOptions(addFleetOptions(command))
    .argument("<campaign>", "one whose stages are all reached")
    .action(async (name: string, options: Options) => finish(name, options, terminal));
};
