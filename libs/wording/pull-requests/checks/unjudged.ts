import { type CheckVerdict, writeCheck } from "../pull-text.ts";

const limits = "docs/explanation/threats.md";
const lastTitle = "changed too often: push once more to have it judged again";

/** `why` is a clause. */
interface Unjudged {
  readonly code: string;
  readonly why: string;
}

/** Red, so that it is not merged unjudged: what cannot be judged may do anything. */
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

/** The words of a head's last check, which is red: why it is where the judgement was not. */
export function printLastCheck(check: {
  readonly state: CheckVerdict["state"];
  readonly title: string;
  readonly summary: string;
}): { readonly title: string; readonly summary: string } {
  const note = "**This head is not judged again.** Push to the branch once more to have it judged again.";
  return { title: check.state === "failure" ? check.title : lastTitle, summary: `${note}\n\n${check.summary}` };
}
