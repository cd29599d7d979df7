import type { Tag } from "../decide/facts.ts";

/** Where this VM's tag is read. */
export interface TagSource {
  /** Never throws: what cannot be read is unknown. */
  read(): Promise<Tag>;
}
