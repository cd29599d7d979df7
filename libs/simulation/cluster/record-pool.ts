import { lookUp } from "#libs/input";
import type { PodGroup, PodTemplate, PreviousFields } from "#libs/fleet";

type TextRecord = Readonly<Record<string, string>>;

/** The arguments and the result of one merge. */
interface Merge {
  readonly now: TextRecord;
  readonly fields: PreviousFields;
  /** Undefined where nothing changes. */
  readonly merged: TextRecord | undefined;
}

function isSame<T>(a: Readonly<Record<string, T>>, b: Readonly<Record<string, T>>): boolean {
  if (a === b) return true;
  let left = 0;
  for (const key in a) {
    if (lookUp(a, key) !== lookUp(b, key)) return false;
    left += 1;
  }
  for (const _ in b) left -= 1;
  return left === 0;
}

function merge(now: TextRecord, fields: PreviousFields): TextRecord {
  const merged = new Map(Object.entries(now));
  for (const [key, value] of Object.entries(fields)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** How many equal merges are kept: a stage writes the same to nearly every workload. */
const most = 8;

/**
 * Labels and annotations as merge patches leave them. A stage writes the same to thousands of workloads. Equal results are one
 * object, because the parsed annotations are cached by the object.
 */
export class RecordPool {
  readonly #merges: Merge[] = [];
  readonly #templates: PodTemplate[] = [];
  readonly #pods = new Map<string, readonly PodGroup[]>();

  /** The record after a merge patch; the same object where nothing changes. */
  merge(now: TextRecord, fields: PreviousFields | undefined): TextRecord {
    if (fields === undefined) return now;
    for (const known of this.#merges) {
      if (isSame(known.fields, fields) && isSame(known.now, now)) return known.merged ?? now;
    }
    const result = merge(now, fields);
    const merged = isSame(result, now) ? undefined : result;
    if (this.#merges.length === most) this.#merges.shift();
    this.#merges.push({ now, fields, merged });
    return merged ?? now;
  }

  /** The template with these labels and annotations, which must come from this pool. */
  template({ hostNetwork }: PodTemplate, labels: TextRecord, annotations: TextRecord): PodTemplate {
    const isIt = (each: PodTemplate) =>
      each.labels === labels && each.annotations === annotations && each.hostNetwork === hostNetwork;
    const known = this.#templates.find(isIt);
    if (known !== undefined) return known;
    const template = { labels, annotations, hostNetwork };
    if (this.#templates.length === most) this.#templates.shift();
    this.#templates.push(template);
    return template;
  }

  /** This many ready pods of one revision; undefined = without a sidecar. */
  pods(revision: string | undefined, count: number): readonly PodGroup[] {
    const name = `${count} ${revision ?? ""}`;
    const known = this.#pods.get(name) ?? [{ count, ready: count, ...(revision === undefined ? {} : { revision }) }];
    this.#pods.set(name, known);
    return known;
  }
}
