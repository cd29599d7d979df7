/** True when version `a` is older than `b`; both as `1.2.0`. */
export function isOlder(a: string, b: string): boolean {
  const [as, bs] = [a, b].map((version) => version.split(/[.-]/).slice(0, 3).map(Number));
  for (const [index, of] of (bs ?? []).entries()) {
    const own = as?.[index] ?? 0;
    if (own !== of) return own < of;
  }
  return false;
}
