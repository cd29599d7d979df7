import type { ApiMap } from "../api-types.ts";

/** Keeps one copy of texts that thousands of objects share: each parsed page has copies of its own. */
export interface Interner {
  /** For what repeats: namespaces, revisions, label keys, managers. Never for names or UIDs: nothing is ever dropped. */
  text(value: string): string;
  /** The entries with an interned key and value that `wanted` lets through; equal results are one object. */
  map(source: ApiMap | undefined, wanted: (key: string) => boolean): ApiMap;
  /** Equal values are one frozen object. Only for shapes of few distinct values. */
  value<T extends object>(value: T): T;
}

/** Above this number of distinct values sharing saves little, and the table would grow without limit. */
const MOST = 20_000;

export function createInterner(): Interner {
  const texts = new Map<string, string>();
  const values = new Map<string, object>();
  const value = <T extends object>(fresh: T): T => {
    const key = JSON.stringify(fresh);
    const known = values.get(key);
    if (known !== undefined) return known as T;
    if (values.size < MOST) values.set(key, Object.freeze(fresh));
    return fresh;
  };
  return {
    value,
    text: (text) => {
      const known = texts.get(text);
      if (known !== undefined) return known;
      if (texts.size < MOST) texts.set(text, text);
      return text;
    },
    map: (source = {}, wanted) => value(Object.fromEntries(Object.entries(source).filter(([key]) => wanted(key)))),
  };
}
