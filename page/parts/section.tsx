import type { ComponentChildren } from "preact";

interface SectionProps {
  readonly id: string;
  readonly title: string;
  /** A short note next to the title. */
  readonly note?: string;
  readonly children: ComponentChildren;
}

/** A part of the page with a heading for screen readers; its tables are regions of their own. */
export function Section({ id, title, note, children }: SectionProps) {
  return (
    <section id={id}>
      <h2>
        {title}
        {note === undefined ? null : <span class="note">{note}</span>}
      </h2>
      {children}
    </section>
  );
}
