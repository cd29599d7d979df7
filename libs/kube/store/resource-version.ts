/** Is `a` the later of two resourceVersions of one cluster? They are decimal and may exceed 2^53. */
export function isLater(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}
