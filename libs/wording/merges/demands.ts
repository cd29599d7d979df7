import type { CasesOf } from "../cases.ts";

/** A demand of the branch on a merge, with the setting or the act that meets it. */
interface DemandWording {
  readonly message: string;
  readonly fix: string;
}

function say(message: string, fix: string) {
  return (): DemandWording => ({ message, fix });
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** A required check, and the only app from which it counts. */
interface CheckWords {
  readonly name: string;
  /** `missing`: none was posted; `otherSource`: one was, and not by the app that counts. */
  readonly state: "missing" | "pending" | "failed" | "otherSource";
  /** Id of the only app from which it counts; absent: from anyone. */
  readonly source?: number;
}

const checkStates: Readonly<Record<CheckWords["state"], string>> = {
  missing: "was not posted",
  pending: "has not finished",
  failed: "failed",
  otherSource: "was posted by another app",
};

function wordCheck({ name, state, source }: CheckWords): DemandWording {
  const from = source === undefined ? "" : ` of the app ${source}`;
  const fix =
    state === "otherSource"
      ? "choose the app that posts it as its expected source"
      : `look at ${name} on the pull request`;
  return { message: `the required check ${name}${from} ${checkStates[state]}`, fix };
}

/** Demands of the protected branch that a pull request does not meet. */
const demands = {
  QueueDemanded: say("the branch takes merges only from its merge queue", "let meshroll's app use the merge queue"),
  QueueRemoved: ({ reason, by }: { readonly reason: string; readonly by?: string }): DemandWording => ({
    message: `the merge queue took it out: ${reason}${by === undefined ? "" : ` (${by})`}`,
    fix: "look at the checks of its merge group, then put it into the queue again",
  }),
  BranchLocked: say("the branch is locked", "unlock it in the branch's protection"),
  BranchBehind: ({ base }: { readonly base: string }): DemandWording => ({
    message: `the branch has to be up to date with ${base}`,
    fix: "update it: its checks run again",
  }),
  ReviewsMissing: ({ required, given }: { readonly required: number; readonly given: number }): DemandWording => ({
    message: `GitHub counts ${given} of ${count(required, "required approval")}`,
    fix: "let meshroll's account bypass that rule for pull requests, or set the required approvals to 0",
  }),
  ChangesRequested: say("a reviewer requested changes", "answer the review, or dismiss it"),
  CodeOwnersMissing: say(
    "a code owner has to approve it",
    "let one approve it, or let meshroll's account bypass that rule for pull requests",
  ),
  LastPushUnapproved: say(
    "someone other than the last pusher has to approve it",
    "let another approve it, or let meshroll's account bypass that rule for pull requests",
  ),
  ThreadsOpen: ({ open }: { readonly open: number }): DemandWording => ({
    message: `${count(open, "conversation")} on it ${open === 1 ? "is" : "are"} not resolved`,
    fix: "resolve them on the pull request",
  }),
  CommitsUnsigned: ({ unsigned }: { readonly unsigned: number }): DemandWording => ({
    message: `${count(unsigned, "commit")} of it ${unsigned === 1 ? "has" : "have"} no verified signature`,
    fix: "let a GitHub App make them, or git sign them (docs/how-to/protect-the-ledger.md)",
  }),
  HistoryNotLinear: say(
    "the branch takes no merge commits",
    "allow squashing or rebasing in the repository's settings, or do not require a linear history",
  ),
  CheckNotGreen: wordCheck,
  DeploymentsMissing: ({ environments }: { readonly environments: readonly string[] }): DemandWording => ({
    message: `a deployment to ${environments.join(", ")} has to succeed first`,
    fix: "require no deployments of this branch: meshroll's come after the merge",
  }),
  Conflict: say("it conflicts with the branch", "resolve the conflict on its branch, or delete that branch"),
  Draft: say("it is a draft", "mark it as ready for review"),
};

export type MergeDemand = CasesOf<typeof demands>;

/** The sentence of one demand. */
function renderDemand(demand: MergeDemand): DemandWording {
  const word = demands[demand.code] as (each: MergeDemand) => DemandWording;
  return word(demand);
}

/** A merge that GitHub refused: its message, and the demands that are not met. */
export interface RefusedMerge {
  readonly why: string;
  readonly demands?: readonly MergeDemand[];
}

/** Every demand that is not met, with what meets it; GitHub's message where none is known. */
export function explainRefusedMerge({ why, demands: unmet = [] }: RefusedMerge): string {
  if (unmet.length === 0) return why;
  return unmet
    .map((each) => {
      const { message, fix } = renderDemand(each);
      return `${message} (${fix})`;
    })
    .join("; ");
}
