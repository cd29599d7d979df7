/** Characters below 128, by their code: 1 for those of `signs`. Asked for each character of a stream, so it is no Set. */
export type CodeTable = { readonly [code: number]: number };

/** A table that nothing is written to any more. */
export function tabulate(signs: string): CodeTable {
  const table = new Uint8Array(128);
  for (const sign of signs) table[sign.charCodeAt(0)] = 1;
  return table;
}

export const wordSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./";
