import { isSeq, type Node } from "yaml";

import { defineReader, type Field, isEmptyField, type Reader, reportField } from "./field.ts";

export interface ListBounds {
  readonly least?: number;
  /** Longer lists are not written by hand, and each entry costs at every reconcile. */
  readonly most: number;
  /** An example for the message: `[1-24-5]`. */
  readonly example: string;
}

/** The items of a list as fields of their own, `spec.stages[0]` and so on. */
function listItems(field: Field, items: readonly unknown[]): readonly Field[] {
  return items.map((item, index) => {
    const node = item as Node | null;
    const range = node?.range;
    const key = range ? { start: range[0], end: Math.max(range[0] + 1, range[1]) } : field.key;
    return { ...field, node, path: `${field.path}[${index}]`, key };
  });
}

/** A list of one kind of value; an item that is wrong is reported and left out. */
export function readList<T>(item: Reader<T>, { least = 0, most, example }: ListBounds): Reader<readonly T[]> {
  const schema = { type: "array", items: item.schema, ...(least > 0 && { minItems: least }), maxItems: most };
  return defineReader(schema, (field) => {
    if (!isSeq(field.node)) {
      return reportField(field, isEmptyField(field) ? "has no value" : "must be a list", `write ${example}`);
    }
    const { items } = field.node;
    if (items.length < least) return reportField(field, `needs at least ${least}`, `write ${example}`);
    if (items.length > most) return reportField(field, `has ${items.length} entries; ${most} is the most`);
    return listItems(field, items).flatMap((one) => {
      const value = item(one);
      return value === undefined ? [] : [value];
    });
  });
}

/** A list of words without repetition. */
export function readWords<T extends string>(item: Reader<T>, bounds: ListBounds): Reader<readonly T[]> {
  const list = readList(item, bounds);
  return defineReader({ ...list.schema, uniqueItems: true }, (field) => {
    const values = list(field);
    const twice = values?.find((value, index) => values.indexOf(value) !== index);
    return twice === undefined ? values : reportField(field, `names \`${twice}\` twice`, "keep one of the two");
  });
}
