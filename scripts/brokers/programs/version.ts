/** The first version number in a text such as `v=7.0.15` or `nats-server: v2.9.10`. */
export function readVersion(text: string): string | undefined {
  return /\d+\.\d+\.\d+/.exec(text)?.[0];
}

/** True when the dotted version is `oldest` or newer; false when it is not a version. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [have, want] = [version, oldest].map((text) => text.split(".").map(Number));
  for (const [index, least] of (want ?? []).entries()) {
    const part = have?.[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
