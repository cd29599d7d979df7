/** The fields that have a value: an optional field is absent, never undefined (tsconfig exactOptionalPropertyTypes). */
export function dropAbsent<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { readonly [K in keyof T]?: Exclude<T[K], undefined> };
}
