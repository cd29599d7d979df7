import { type CheckVerdict, writeCheck } from "../pull-text.ts";

const limits = "docs/explanation/threats.md";
const lastTitle = "changed too often: push once more to have it judged again";

/** `why` is a clause. */
interface Unjudged {
  readonly code: string;
  readonly why: string;
}

/** Red, so that a change that could not be judged is not merged. */
export function renderUnjudged({ code, why }: Unjudged): CheckVerdict {
  const summary = [
    `This pull request cannot be judged (\`${code}\`): ${why}.`,
    "Each pull request gets the same limits of time and memory. Make it smaller, and push; " +
      "or push an empty commit to have it judged again.",
    `What the limits are for: \`${limits}\`.`,
  ];
  return writeCheck("failure", `cannot be judged: ${why}`.slice(0, 140), summary.join("\n\n"));
}

export function renderUncounted(): CheckVerdict {
  const title = "not counted: the pull request cannot be judged";
  return writeCheck("pending", title, `Approvals are ${title}. See \`meshroll/plan\`.`);
}

/** On a group of the merge queue that changes more of our files than its last pull request does. */
export function renderBehind(): CheckVerdict {
  const title = "waits for pull requests before it in the merge queue";
  const summary =
    "Pull requests before this one in the merge queue change rollouts.yml, meshroll.yml or campaigns/, too. This one was judged " +
    "and approved by itself, so it is judged again, and merged, once main has those before it.";
  return writeCheck("pending", title, summary);
}

/** The texts of a head's last check, a red one, where the judgement itself is not available. */
export function printLastCheck(check: {
  readonly state: CheckVerdict["state"];
  readonly title: string;
  readonly summary: string;
}): { readonly title: string; readonly summary: string } {
  const note = "**This head is not judged again.** Push to the branch once more to have it judged again.";
  return { title: check.state === "failure" ? check.title : lastTitle, summary: `${note}\n\n${check.summary}` };
}
