import type { CampaignWalk } from "../campaign-walk.ts";

/** How long after a commit of main status and pull requests may still follow the previous one, ms. */
const graceMs = 45_000;

/** While a campaign's file has errors, status says so of that campaign and of no other (ADR 29). */
export async function checkBreak(walk: CampaignWalk): Promise<void> {
  const { broken, flow } = walk;
  const status = await flow.status();
  // A planner that cannot fetch main does not know of the error.
  const isCurrent = status !== undefined && status.main.head === flow.remote.head("main");
  if (broken === undefined || !isCurrent || Date.parse(status.at) < broken.from + graceMs) return;
  const unread = status.waiting.filter(({ code }) => code === "CampaignUnparsable").map(({ scope }) => scope);
  const isWhole = status.waiting.some(({ scope }) => scope === "all");
  const wanted = `campaign/${broken.name}`;
  const now = new Date(flow.clock.now()).toISOString();
  if (!unread.includes(wanted) && !isWhole) walk.breakFaults.push(`at ${now} no wait names the errors of ${wanted}`);
  if (unread.includes("campaign/zpay")) walk.breakFaults.push(`at ${now} zpay is held for the errors of ${wanted}`);
}

interface Moved {
  readonly run: string;
  readonly at: number;
  readonly key: string;
  readonly target: string | undefined;
}

interface Recorded {
  readonly campaign?: string | undefined;
  readonly changes: readonly { readonly direction: "forward" | "rollback" }[];
}

/** While a campaign's file has errors, nothing of it moves forward, and none of its stages is proposed. */
export async function judgeBreaks(
  walk: CampaignWalk,
  moves: readonly Moved[],
  runs: Readonly<Record<string, Recorded>>,
  moveGraceMs: number,
): Promise<readonly string[]> {
  const faults: string[] = [...walk.breakFaults];
  for (const { name, from, to } of walk.breaks) {
    const forward = moves.filter(({ run, at, target }) => {
      const record = runs[run];
      const isOwn = record?.campaign === name && record.changes.some(({ direction }) => direction === "forward");
      return isOwn && target === "new" && at > from + moveGraceMs && at < to;
    });
    faults.push(...forward.map(({ key, run, at }) => `${key} moved by ${run} at ${at}, while ${name} had errors`));
  }
  const ana = walk.scm.as("ana");
  for (let number = 1; ; number += 1) {
    const pull = await ana.findPullRequest(number);
    if (pull === undefined) return faults;
    const broken = walk.breaks.find(
      ({ name, from, to }) =>
        pull.branch.startsWith(`meshroll/${name}/`) && pull.createdAt > from + graceMs && pull.createdAt < to,
    );
    if (broken !== undefined)
      faults.push(`pull request ${number} of ${pull.branch} was opened while its file had errors`);
  }
}
