import { findNextStage, isReached } from "#libs/campaign";
import type { PullRequest } from "#libs/scm";
import { readStageBranch, type Spec, type Snapshot } from "#libs/plan";
import { doEach } from "#libs/runtime";

import type { StageParts } from "./bring-stage.ts";
import { findForeignAuthor } from "../ensure-branch.ts";
import { closedMarker } from "./find-stage-pull.ts";
import { isDown } from "../scm-link.ts";
import { mostWrites } from "../checks/post-checks.ts";
import { describeFault, makeWait, type Wait } from "../../loop/make-wait.ts";

interface End {
  readonly why: string;
  /** The branch's campaign is on main. */
  readonly isKnown: boolean;
}

/** Why a stage's open pull request is not needed any more; undefined while it is, and for other branches. */
function findEnd(head: Spec, branch: string): End | undefined {
  const named = readStageBranch(branch, head.campaigns);
  if (named === undefined) return undefined;
  const campaign = head.campaigns.get(named.campaign);
  const say = (why: string): End => ({ why, isKnown: campaign !== undefined });
  if (campaign === undefined)
    return say(`campaign ${named.campaign} is not among main's unfinished campaigns any more`);
  const stage = campaign.stages.find(({ name }) => name === named.stage);
  if (stage === undefined) return say(`${campaign.file} has no stage ${named.stage} any more`);
  if (isReached(campaign, stage, head.rollouts)) return say(`main has reached stage ${stage.name} without it`);
  const next = findNextStage(campaign, head.rollouts);
  if (next === stage) return undefined;
  return say(`stage ${next?.name ?? ""} comes first again; this one is proposed again in its turn`);
}

function waitOver({ number, author }: PullRequest, why: string, owner = author): Wait {
  return makeWait(`pull/${number}`, { code: "StageOver", number, why, owner });
}

/** `over`: closed, or merged; `theirs`: not ours to close; a wait: a person must close it. */
type Closing = Wait | "over" | "theirs";

async function closeOne(parts: StageParts, snapshot: Snapshot, pull: PullRequest, end: End): Promise<Closing> {
  const { why, isKnown } = end;
  const { link, budget, poster } = parts;
  // It was merged, and the list is from before that: git knows a merge earlier than the SCM's lists do.
  if ((await link.repository.firstParents(snapshot.main.head, pull.headSha)).length === 0) return "over";
  const foreignAuthor = await findForeignAuthor(link, snapshot.main.head, pull.headSha);
  // With a person's commit on it only a person closes it. A branch of an unknown campaign may never have been ours.
  if (foreignAuthor !== undefined) return isKnown ? waitOver(pull, why, foreignAuthor) : "theirs";
  budget.adopt(pull.headSha, 2);
  if (budget.spent(pull.headSha) + poster.count(pull.headSha) + 2 > mostWrites) return waitOver(pull, why);
  budget.spend(pull.headSha);
  // The comment comes first: it shows that meshroll closed the pull request, not a person.
  const text = `Closed by meshroll: ${why}. Nothing is held by this.`;
  await link.scm.putComment(pull.number, closedMarker, text);
  budget.spend(pull.headSha);
  await link.scm.closePullRequest(pull.number);
  return "over";
}

/**
 * Closes pull requests that main has overtaken, which places no hold. Returns those that stay open, and waits for those that a
 * person must close.
 */
export async function closeOvertaken(
  parts: StageParts,
  snapshot: Snapshot,
  head: Spec,
  pulls: readonly PullRequest[],
): Promise<{ readonly open: readonly PullRequest[]; readonly waits: readonly Wait[] }> {
  const open: PullRequest[] = [];
  const waits: Wait[] = [];
  const found = pulls.map((pull) => ({ pull, end: pull.fork === true ? undefined : findEnd(head, pull.branch) }));
  const close = async ({ pull, end }: (typeof found)[number]): Promise<void> => {
    const closing = end === undefined ? "theirs" : await closeOne(parts, snapshot, pull, end);
    if (typeof closing === "object") waits.push(closing);
    if (closing !== "over") open.push(pull);
  };
  await doEach(found, close, {
    onFault: ({ pull, end }, error) => {
      parts.log.warn({ error, pull: pull.number }, "a stage that is over could not be closed");
      waits.push(waitOver(pull, `${end?.why ?? ""}; closing it failed: ${describeFault(error)}`));
      open.push(pull);
    },
    isDown,
  });
  return { open, waits };
}
