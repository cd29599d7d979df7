import type { ObjectDraft } from "../objects/object-draft.ts";
import { isScalarRole, type Role, roles } from "../objects/roles.ts";

const mostDeep = 200;

/** A map or list of the text that is not over yet. */
export interface Frame {
  column: number;
  isList: boolean;
  role: Role;
  object: ObjectDraft | undefined;
}

/** What the last key or dash waits for: its value may stand on deeper lines, or be none. */
export class Awaited {
  isOpen = true;
  role: Role = roles.object;
  object: ObjectDraft | undefined;
  key = "";
  /** Behind the colon, and at the end of its line. */
  from = 0;
  stop = 0;

  /** It got no value: one may be put behind the colon, or lines below. */
  noteEmpty(column: number): void {
    const { role, object, from: start } = this;
    if (role === roles.none || object === undefined) return;
    if (isScalarRole(role)) object.noteScalar(role, this.key, { start, end: start, value: "" });
    else object.noteMap(role, { form: "empty", at: this.stop, indent: column + 2 });
  }
}

/** What is open at a line, outermost first. Its frames are used again: a line of YAML must cost no objects. */
export class FrameStack {
  readonly #frames: Frame[] = [];
  #depth = -1;

  get top(): Frame | undefined {
    return this.#frames[this.#depth];
  }

  /** False where it is too deep for us. */
  push(column: number, isList: boolean, role: Role, object: ObjectDraft | undefined): boolean {
    if (this.#depth + 1 >= mostDeep) return false;
    const frame = this.#frames[++this.#depth];
    if (frame === undefined) {
      this.#frames.push({ column, isList, role, object });
      return true;
    }
    frame.column = column;
    frame.isList = isList;
    frame.role = role;
    frame.object = object;
    return true;
  }

  /** Leaves what is over at a line of this column; false where the line fits to nothing that is open. */
  popTo(column: number, isItem: boolean): boolean {
    let { top } = this;
    while (top !== undefined && (top.column > column || (top.column === column && top.isList && !isItem))) {
      top = this.#frames[--this.#depth];
    }
    return top !== undefined && top.column === column && top.isList === isItem;
  }
}
