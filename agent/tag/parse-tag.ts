import { isRevisionName } from "#libs/artifact";

import type { Tag } from "../decide/facts.ts";

/** A tag contains a revision and nothing else. */
export function parseTag(text: string): Tag {
  const revision = text.trim();
  if (revision === "") return { kind: "unset" };
  if (!isRevisionName(revision)) return { kind: "unknown", why: "it is not the name of a revision" };
  return { kind: "revision", revision };
}
