/**
 * What a record has under a name from outside. `record[name]` would also find what every object inherits: a run called
 * `constructor` would exist, and one called `__proto__` would change the record.
 */
export function lookUp<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
