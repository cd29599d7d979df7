/**
 * Compares two texts by their UTF-8 bytes: below 0, 0 or above 0. `<` compares UTF-16 units, which puts U+1F600 before U+FF5E where
 * every language that keeps text as UTF-8 puts it behind.
 */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === shorter) return a.length - b.length;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** Surrogates stand for code points above all others, though U+E000..U+FFFF have the greater units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
