/** What stands before a line for its state. */
interface Marks {
  readonly done: string;
  readonly failed: string;
  /** Given up without having failed: never tried, or put back as it was. */
  readonly skipped: string;
  readonly migrating: string;
  readonly waiting: string;
  readonly idle: string;
  readonly warning: string;
  readonly bar: readonly [full: string, empty: string];
  readonly branch: readonly [middle: string, last: string, below: string];
  readonly arrow: string;
  /** Of a rollback. */
  readonly backward: string;
  readonly more: string;
}

/** The shapes that people know from other rollout tools. */
const shapes: Marks = {
  done: "✔",
  failed: "✖",
  skipped: "•",
  migrating: "◌",
  waiting: "◷",
  idle: "•",
  warning: "!",
  bar: ["█", "░"],
  branch: ["├─", "└─", "│ "],
  arrow: "→",
  backward: "←",
  more: "…",
};

/** Words and ASCII, for screen readers, logs and terminals without Unicode. */
const plainMarks: Marks = {
  done: "ok",
  failed: "FAILED",
  skipped: "skipped",
  migrating: "migrating",
  waiting: "waiting",
  idle: "idle",
  warning: "warning:",
  bar: ["#", "."],
  branch: ["-", "-", " "],
  arrow: "->",
  backward: "<-",
  more: "...",
};

export function chooseMarks({ plain }: { readonly plain?: boolean }): Marks {
  return plain === true ? plainMarks : shapes;
}

/** Everything that is no ASCII in what others wrote (a subject, a reason) has a plain twin. */
export function makePlain(text: string): string {
  return (
    text
      .replaceAll("…", "...")
      .replaceAll("→", "->")
      .replaceAll("←", "<-")
      .replaceAll("·", "-")
      .replaceAll("✔", "ok")
      .replaceAll("✖", "FAILED")
      // oxlint-disable-next-line no-control-regex -- exactly what is no ASCII
      .replace(/[^\u0000-\u007F]/gu, "?")
  );
}

/** Failures first: they are what people look for; whatever else is skipped did not fail, and must not look as if it had. */
export function sortSkipped<T extends { readonly failed?: true }>(skipped: readonly T[]): readonly T[] {
  return [...skipped.filter(({ failed }) => failed === true), ...skipped.filter(({ failed }) => failed !== true)];
}
