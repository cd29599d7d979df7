import type { ObjectDraft } from "../objects/object-draft.ts";
import { isScalarRole, type Role, roles } from "../objects/roles.ts";

const mostDeep = 200;

/** A map or list that is open at the present line. */
export interface Frame {
  column: number;
  isList: boolean;
  role: Role;
  object: ObjectDraft | undefined;
}

/** The value that the last key or dash expects: it may be on deeper lines, or missing. */
export class Awaited {
  isOpen = true;
  role: Role = roles.object;
  object: ObjectDraft | undefined;
  key = "";
  /** Offset after the colon; `to` is the end of its line. */
  from = 0;
  stop = 0;

  /** The key has no value: one may be inserted after the colon, or on lines below. */
  noteEmpty(column: number): void {
    const { role, object, from: start } = this;
    if (role === roles.none || object === undefined) return;
    if (isScalarRole(role)) object.noteScalar(role, this.key, { start, end: start, value: "" });
    else object.noteMap(role, { form: "empty", at: this.stop, indent: column + 2 });
  }
}

/** The open maps and lists, outermost first. The frames are reused, so that a line of YAML allocates no objects. */
export class FrameStack {
  readonly #frames: Frame[] = [];
  #depth = -1;

  top: Frame | undefined;

  /** False where the nesting is too deep. */
  push(column: number, isList: boolean, role: Role, object: ObjectDraft | undefined): boolean {
    if (this.#depth + 1 >= mostDeep) return false;
    const frame = this.#frames[++this.#depth];
    if (frame === undefined) {
      this.#frames.push((this.top = { column, isList, role, object }));
      return true;
    }
    frame.column = column;
    frame.isList = isList;
    frame.role = role;
    frame.object = object;
    this.top = frame;
    return true;
  }

  /** Closes what ends before a line of this column; false where the line fits no open map or list. */
  popTo(column: number, isItem: boolean): boolean {
    let { top } = this;
    while (top !== undefined && (top.column > column || (top.column === column && top.isList && !isItem))) {
      top = this.#frames[--this.#depth];
    }
    this.top = top;
    return top !== undefined && top.column === column && top.isList === isItem;
  }
}
