import type { KnownBlock } from "@slack/web-api";

/**
 * What Slack's own SDK says of an answer, in full depth: every field may be left out or undefined, a list may be readonly, and a field
 * that Slack does not have does not compile. Its enums are the words in them. Of blocks it has two forms, and the one for answers
 * is made by a machine and wrong (the text of a context is an object there): ours are held to the one for senders.
 */
export type Published<T> = T extends readonly (infer Item)[]
  ? readonly Published<Item>[]
  : T extends object
    ? {
        readonly [Key in keyof T]?:
          | (Key extends "blocks" ? readonly Published<KnownBlock>[] : Published<T[Key]>)
          | undefined;
      }
    : T extends string
      ? string
      : T;
