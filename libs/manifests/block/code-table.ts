/**
 * For characters below 128, by code: 1 for those of `signs`. Looked up for each character of a stream, which a Set would slow
 * down.
 */
export type CodeTable = { readonly [code: number]: number };

/** A table for these characters. */
export function tabulate(signs: string): CodeTable {
  const table = new Uint8Array(128);
  for (const sign of signs) table[sign.charCodeAt(0)] = 1;
  return table;
}

export const wordSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./";
