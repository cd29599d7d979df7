import type { ComponentChildren } from "preact";

import { choose } from "../../live/address.ts";

interface FilterLinkProps {
  /** The filters of the table of namespaces; empty ones are taken away. */
  readonly choices: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}

/** The table to which the links lead. */
const place = "namespaces";

/** A link to the namespaces with other filters; the present view stays, and the table is scrolled to. */
export function FilterLink({ choices, children }: FilterLinkProps) {
  const query = new URLSearchParams(Object.entries(choices).filter(([, value]) => value !== ""));
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    choose(choices);
    const table = document.getElementById(place);
    table?.scrollIntoView();
    table?.querySelector<HTMLElement>("[tabindex]")?.focus({ preventScroll: true });
  };
  return (
    <a href={`/?${query.toString()}#${place}`} onClick={follow}>
      {children}
    </a>
  );
}
