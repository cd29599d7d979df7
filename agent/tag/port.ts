import type { Tag } from "../decide/facts.ts";

/** The source of this VM's tag. */
export interface TagSource {
  /** Never throws: what cannot be read is unknown. */
  read(): Promise<Tag>;
}
