import { z } from "zod";

import type { Tag } from "../decide/facts.ts";
import type { Disk } from "../disk/port.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { parseTag } from "../tag/parse-tag.ts";
import type { TagSource } from "../tag/port.ts";

/** The tag that the api answered last. It outlives a restart, so that a VM without a network keeps it. */
export interface ApiTag extends TagSource {
  /** `null`: the VM has none. Throws the disk's errors. */
  hear(tag: string | null): Promise<void>;
}

const kept = z.object({ formatVersion: z.literal(1), tag: z.string().max(256).nullable() });

const notHeard: Tag = { kind: "unknown", why: "the api has not answered yet" };

function readKept(text: string | undefined): Tag {
  if (text === undefined) return notHeard;
  try {
    const { data } = kept.safeParse(JSON.parse(text));
    return data === undefined ? notHeard : parseTag(data.tag ?? "");
  } catch {
    // Not JSON: another program wrote it. The next answer replaces it.
    return notHeard;
  }
}

export function openApiTag(disk: Disk, path: string): ApiTag {
  let known: Tag | undefined;
  let written: string | undefined;
  return {
    async hear(tag) {
      const heard = parseTag(tag ?? "");
      const text = `${JSON.stringify({ formatVersion: 1, tag })}\n`;
      known = heard;
      // What cannot be followed is not kept: the tag before it was good.
      if (heard.kind === "unknown" || text === written) return;
      await writeWhole(disk, path, text);
      written = text;
    },
    async read() {
      try {
        known ??= readKept(await disk.readText(path, 4096));
        return known;
      } catch (error) {
        return { kind: "unknown", why: (error as Error).message };
      }
    },
  };
}
