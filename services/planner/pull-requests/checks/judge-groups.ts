import { isDeepStrictEqual } from "node:util";

import type { RolloutsRepository } from "#libs/git";
import type { QueuedGroup } from "#libs/scm";
import { type CheckVerdict, renderBehind } from "#libs/wording";
import type { Snapshot } from "#libs/plan";
import { doEach, type Logger } from "#libs/runtime";

import type { ReadPull } from "../judging/port.ts";
import { isDown } from "../scm-link.ts";
import type { JudgedPull, PullJudge } from "./judge-pulls.ts";

/** What posting checks on groups needs. */
interface GroupJudge extends Pick<PullJudge, "reader" | "poster"> {
  readonly log: Pick<Logger, "warn">;
}

/** What a merge leaves in the files that meshroll reads. */
function pickFiles(read: ReadPull): unknown {
  return read.kind === "files" ? { texts: read.texts, campaigns: read.campaigns } : read;
}

/** The queue has all behind it wait for a check that is pending, and takes out what has a red one. */
function decideNow(check: CheckVerdict): CheckVerdict {
  return check.state === "pending" ? { ...check, state: "failure" } : check;
}

/**
 * The pull request's own checks, where its group leaves our files on main as merging it alone would: then it is what was judged
 * and approved. Otherwise pull requests before it change our files, too, and it waits until main has them.
 */
async function judgeGroup(
  { reader }: GroupJudge,
  repository: RolloutsRepository,
  { main }: Snapshot,
  group: QueuedGroup,
  { pull, verdict }: JudgedPull,
): Promise<{ readonly plan: CheckVerdict; readonly approvals: CheckVerdict }> {
  const [alone, grouped] = [
    await reader.read(repository, main.head, pull),
    await reader.read(repository, main.head, { ...pull, headSha: group.headSha }),
  ];
  const isSame = isDeepStrictEqual(pickFiles(alone.read), pickFiles(grouped.read));
  if (!isSame) return { plan: renderBehind(), approvals: renderBehind() };
  return { plan: decideNow(verdict.plan), approvals: decideNow(verdict.approvals) };
}

/** Posts the checks of judged pull requests on their groups of the merge queue, which waits for them there. */
export async function judgeGroups(
  judge: GroupJudge,
  repository: RolloutsRepository,
  snapshot: Snapshot,
  groups: readonly QueuedGroup[],
  judged: readonly JudgedPull[],
): Promise<void> {
  const postOne = async (group: QueuedGroup): Promise<void> => {
    const own = judged.find(({ pull }) => pull.number === group.number);
    if (own === undefined) return;
    const { plan, approvals } = await judgeGroup(judge, repository, snapshot, group, own);
    await judge.poster.post(group.headSha, { "meshroll/plan": plan, "meshroll/approvals": approvals });
  };
  await doEach(groups, postOne, {
    onFault: ({ number }, error) =>
      judge.log.warn({ error, pull: number }, "the checks of a merge group could not be posted"),
    isDown,
  });
}
