export type Part = Readonly<Record<string, unknown>>;

/** The value at a path of plain objects; undefined where there is none. */
export function dig(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    const isPart = typeof found === "object" && found !== null && Object.hasOwn(found, key);
    found = isPart ? (found as Part)[key] : undefined;
  }
  return found;
}

/** The plain object at a path; an empty one where there is none. */
export function digPart(value: unknown, ...path: readonly string[]): Part {
  const found = dig(value, ...path);
  return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as Part) : {};
}
