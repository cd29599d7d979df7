import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { hasMoved } from "../live/address.ts";

interface TitleProps {
  /** For the browser's tab and history. */
  readonly text: string;
  readonly children: ComponentChildren;
}

/** The view's heading. After a link within the page it gets the focus, as after loading a page. */
export function Title({ text, children }: TitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${text} · meshroll`;
  }, [text]);
  useEffect(() => {
    if (hasMoved()) heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
