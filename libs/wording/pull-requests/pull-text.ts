import { printText, type Text, writeText } from "../text.ts";

/** The text of one of meshroll's pull requests; no code reads it back. */
export interface PullText {
  readonly title: Text;
  /** Markdown within GitHub's 65,535 bytes. */
  readonly body: Text;
}

/** The text of one check of a pull request. */
export interface CheckVerdict {
  /** Neutral: not judged; a required check that is neutral does not prevent a merge. */
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

/** As in a request to the SCM. */
export function printPull({ title, body }: PullText): { readonly title: string; readonly body: string } {
  return { title: printText(title), body: printText(body) };
}

/** As in a request to the SCM. */
export function printCheck({ state, title, summary }: CheckVerdict): {
  readonly state: CheckVerdict["state"];
  readonly title: string;
  readonly summary: string;
} {
  return { state, title: printText(title), summary: printText(summary) };
}
