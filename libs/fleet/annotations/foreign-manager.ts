import type { FieldManager } from "../facts.ts";

/** The field manager where it is not one of ours; undefined where it is, or where none is known. */
export function nameForeignManager(manager: FieldManager | undefined): string | undefined {
  return manager?.name.startsWith("meshroll") === true ? undefined : manager?.name;
}
