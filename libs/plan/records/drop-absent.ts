/** The fields with a value: an optional field must be absent, never undefined (`exactOptionalPropertyTypes`). */
export function dropAbsent<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { readonly [K in keyof T]?: Exclude<T[K], undefined> };
}
