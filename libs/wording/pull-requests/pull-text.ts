import { printText, type Text, writeText } from "../text.ts";

/** What people read on a pull request of ours; nothing of it is ever read back. */
export interface PullText {
  readonly title: Text;
  /** Markdown within GitHub's 65,535 bytes. */
  readonly body: Text;
}

/** What one check of a pull request says. */
export interface CheckVerdict {
  /** Neutral: not judged; where checks are required it keeps nothing from being merged. */
  readonly state: "success" | "failure" | "pending" | "neutral";
  /** One line of at most 140 characters. */
  readonly title: Text;
  /** Markdown within GitHub's 65,535 bytes. */
  readonly summary: Text;
}

export function writePull(title: string, body: string): PullText {
  return { title: writeText(title), body: writeText(body) };
}

export function writeCheck(state: CheckVerdict["state"], title: string, summary: string): CheckVerdict {
  return { state, title: writeText(title), summary: writeText(summary) };
}

/** As a request to the SCM carries it. */
export function printPull({ title, body }: PullText): { readonly title: string; readonly body: string } {
  return { title: printText(title), body: printText(body) };
}

/** As a request to the SCM carries it. */
export function printCheck({ state, title, summary }: CheckVerdict): {
  readonly state: CheckVerdict["state"];
  readonly title: string;
  readonly summary: string;
} {
  return { state, title: printText(title), summary: printText(summary) };
}
