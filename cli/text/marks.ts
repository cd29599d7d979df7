/** Signs before lines, by state. */
interface Marks {
  readonly done: string;
  readonly failed: string;
  /** Given up without a failure: never tried, or undone. */
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

/** The signs of other rollout tools. */
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

/** Replaces non-ASCII characters in texts of others (a subject, a reason). */
export function makePlain(text: string): string {
  return (
    text
      .replaceAll("…", "...")
      .replaceAll("→", "->")
      .replaceAll("←", "<-")
      .replaceAll("·", "-")
      .replaceAll("✔", "ok")
      .replaceAll("✖", "FAILED")
      // oxlint-disable-next-line no-control-regex -- matches exactly the characters outside of ASCII
      .replace(/[^\u0000-\u007F]/gu, "?")
  );
}

/** Failures first. Other skipped workloads did not fail and must not look so. */
export function sortSkipped<T extends { readonly failed?: true }>(skipped: readonly T[]): readonly T[] {
  return [...skipped.filter(({ failed }) => failed === true), ...skipped.filter(({ failed }) => failed !== true)];
}
