/** The meaning of a mark. Each has its own shape, because colour alone is not accessible. */
export type MarkKind = "done" | "moving" | "pending" | "waiting" | "failed" | "skipped" | "held" | "past";

const shapes: Readonly<Record<MarkKind, string>> = {
  done: "M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13zM4.8 8.2l2.3 2.3l4.2-4.7",
  moving: "M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13zM8 4.5v4l2.6 1.6",
  pending: "M8 2a6 6 0 1 1 0 12a6 6 0 0 1 0-12z",
  waiting: "M4 2h8M4 14h8M5 2c0 4 6 4.5 6 6s-6 2-6 6M11 2c0 4-6 4.5-6 6s6 2 6 6",
  failed: "M3 3l10 10M13 3L3 13",
  skipped: "M3 8h10",
  held: "M5 3v10M11 3v10",
  past: "M2.5 8a5.5 5.5 0 1 0 1.8-4.1M2.2 1.8v3.4h3.4M8 5v3.2l2.2 1.4",
};

/** A small drawing next to the word with the same meaning. */
export function Mark({ kind }: { readonly kind: MarkKind }) {
  return (
    <svg class={`mark mark-${kind}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={shapes[kind]} />
    </svg>
  );
}
