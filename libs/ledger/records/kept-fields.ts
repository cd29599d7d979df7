import { lookUp } from "#libs/input";
import type { KeptFields } from "#libs/plan";

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function findInElements(raw: readonly unknown[], read: readonly unknown[]): KeptFields | undefined {
  const elements = raw.flatMap((each, at) => {
    const kept = findKept(each, read[at]);
    return kept === undefined ? [] : [{ of: JSON.stringify(read[at]), kept }];
  });
  return elements.length === 0 ? undefined : { elements };
}

/**
 * What stands in `raw` and was not taken over into `read`, which a form made of it: fields of a newer build. Undefined where there
 * are none.
 */
export function findKept(raw: unknown, read: unknown): KeptFields | undefined {
  if (Array.isArray(raw) && Array.isArray(read)) return findInElements(raw, read);
  if (!isRecord(raw) || !isRecord(read)) return undefined;
  // The name that would change the object that it is copied into is no field of a record.
  const named = Object.entries(raw).filter(([name]) => name !== "__proto__");
  const fields = named.filter(([name]) => !Object.hasOwn(read, name));
  const within = named.flatMap(([name, value]) => {
    const kept = findKept(value, lookUp(read, name));
    return kept === undefined ? [] : [[name, kept] as const];
  });
  if (fields.length === 0 && within.length === 0) return undefined;
  return { fields: Object.fromEntries(fields), within: Object.fromEntries(within) };
}

function restoreElements(elements: NonNullable<KeptFields["elements"]>, value: readonly unknown[]): unknown {
  const left = [...elements];
  return value.map((each) => {
    const text = JSON.stringify(each);
    const at = left.findIndex(({ of }) => of === text);
    // Each once: of two elements that say the same only one had them.
    const [found] = at === -1 ? [] : left.splice(at, 1);
    return restoreKept(found?.kept, each);
  });
}

/**
 * The value with what a newer build wrote into it. What is not there any more, as the outcome of a run that goes on, takes its
 * own fields with it; an element of a list keeps them as long as it stays as it is.
 */
export function restoreKept(kept: KeptFields | undefined, value: unknown): unknown {
  if (kept === undefined) return value;
  if (Array.isArray(value)) return restoreElements(kept.elements ?? [], value);
  if (!isRecord(value)) return value;
  const within = new Map(Object.entries(kept.within ?? {}));
  const own = Object.entries(value).map(([name, each]) => [name, restoreKept(within.get(name), each)] as const);
  const added = Object.entries(kept.fields ?? {}).filter(([name]) => !Object.hasOwn(value, name));
  return Object.fromEntries([...own, ...added]);
}
