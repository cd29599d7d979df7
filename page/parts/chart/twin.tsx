import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import { isWhole } from "../../live/whole.ts";

interface TwinProps {
  readonly title: string;
  /** Called while it is open: a picture has many rows, and few readers open its table. */
  readonly children: () => ComponentChildren;
}

/** The table with what a picture shows, folded. A saved copy has its rows. */
export function Twin({ title, children }: TwinProps) {
  const isOpen = useSignal(false);
  const follow = (event: Event): void => {
    if (event.currentTarget instanceof HTMLDetailsElement) isOpen.value = event.currentTarget.open;
  };
  return (
    <details class="twin" onToggle={follow}>
      <summary>{title}</summary>
      {isOpen.value || isWhole.value ? children() : null}
    </details>
  );
}
