import type { Key } from "./keys.ts";
import { moveOffset } from "./scroll.ts";

/** The open page, and its first line. */
export interface View {
  readonly page: "runs" | "failures" | "namespaces" | "keys";
  readonly offset: number;
}

/** The first view. */
export const firstView: View = { page: "runs", offset: 0 };

const pages: Readonly<Partial<Record<Key, View["page"]>>> = {
  failures: "failures",
  namespaces: "namespaces",
  keys: "keys",
  back: "runs",
};

/** The view after a key. The key of the open page closes it. */
export function pressKey(view: View, key: Key): View {
  const page = pages[key];
  if (page === undefined) return { ...view, offset: moveOffset(view.offset, key) };
  return page === view.page ? firstView : { page, offset: 0 };
}
