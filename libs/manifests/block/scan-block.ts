import type { ManifestObject, Span } from "../objects/manifest-object.ts";
import { ObjectDraft } from "../objects/object-draft.ts";
import { isKeyedRole, isScalarRole, type Role, roles, stepAt, stepIntoList } from "../objects/roles.ts";
import { BlockScalar } from "./block-scalar.ts";
import { findKeyEnd, isDash, skipBlanks } from "./find-key.ts";
import { Awaited, type Frame, FrameStack } from "./frames.ts";
import { isRestEmpty, readScalarText } from "./scan-quoted.ts";
import { values, ValueScan } from "./scan-value.ts";

/**
 * Reads one document line by line, as far as it is plain block YAML: maps, lists, plain and quoted scalars, block scalars and
 * short flow collections. It accepts nothing that the YAML library would refuse or read otherwise. All else is left to the
 * library, which is fifty times slower.
 */
class BlockScan {
  readonly #text: string;
  readonly #end: number;
  readonly #value = new ValueScan();
  readonly #frames = new FrameStack();
  readonly #awaited = new Awaited();
  readonly #scalar = new BlockScalar();
  readonly objects: ObjectDraft[] = [];

  constructor(text: string, end: number) {
    this.#text = text;
    this.#end = end;
  }

  /** False where a line is not plain. */
  scan(start: number): boolean {
    const text = this.#text;
    for (let at = start; at < this.#end;) {
      const newline = text.indexOf("\n", at);
      const next = newline === -1 || newline > this.#end ? this.#end : newline;
      const stop = next > at && text.charCodeAt(next - 1) === 13 ? next - 1 : next;
      const first = skipBlanks(text, at, stop);
      if (first === stop) this.#scalar.noteBlank(first - at);
      else if (!this.#readLine(at, first, stop)) return false;
      at = next + 1;
    }
    if (this.#awaited.isOpen) this.#noteEmpty();
    return true;
  }

  #readLine(at: number, first: number, stop: number): boolean {
    const column = first - at;
    const code = this.#text.charCodeAt(first);
    if (this.#scalar.holds(column)) return this.#scalar.take(column, code);
    if (code === 35) return true;
    const isItem = isDash(this.#text, first, stop);
    if (!this.#enterFrame(column, isItem, at)) return false;
    return isItem
      ? this.#readItem(first, stop, column)
      : this.#readEntry(first, findKeyEnd(this.#text, first, stop), stop);
  }

  /** Closes what ends before this line and opens what begins with it; false where the columns do not fit. */
  #enterFrame(column: number, isItem: boolean, lineStart: number): boolean {
    if (this.#awaited.isOpen) {
      this.#awaited.isOpen = false;
      const { top } = this.#frames;
      const isBelow = top === undefined || column > top.column || (column === top.column && isItem && !top.isList);
      if (isBelow) return this.#push(column, isItem, lineStart);
      this.#noteEmpty();
    }
    return this.#frames.popTo(column, isItem);
  }

  #noteEmpty(): void {
    this.#awaited.noteEmpty(this.#frames.top?.column ?? 0);
  }

  #push(column: number, isList: boolean, lineStart: number): boolean {
    const { role } = this.#awaited;
    const object = this.#openObject(role, isList, lineStart + column);
    if (role !== roles.none) noteOpened(object, role, isList, lineStart, column);
    return !isScalarRole(role) && this.#frames.push(column, isList, role, object);
  }

  #openObject(role: Role, isList: boolean, at: number): ObjectDraft | undefined {
    if (role !== roles.object || isList) return this.#awaited.object;
    const object = new ObjectDraft(at);
    this.objects.push(object);
    return object;
  }

  #readItem(dash: number, stop: number, column: number): boolean {
    const text = this.#text;
    const at = skipBlanks(text, dash + 1, stop);
    const { top } = this.#frames;
    this.#awaited.role = stepIntoList(top?.role ?? roles.none);
    this.#awaited.object = top?.object;
    if (at >= stop || text.charCodeAt(at) === 35) {
      this.#awaited.isOpen = true;
      return true;
    }
    const inner = column + at - dash;
    if (isDash(text, at, stop)) return this.#push(inner, true, at - inner) && this.#readItem(at, stop, inner);
    const colon = findKeyEnd(text, at, stop);
    if (colon === -1) return this.#readValue(at, stop, this.#awaited.role, "", top);
    return this.#push(inner, false, at - inner) && this.#readEntry(at, colon, stop);
  }

  #readEntry(at: number, colon: number, stop: number): boolean {
    const { top } = this.#frames;
    if (colon === -1 || top === undefined) return false;
    const text = this.#text;
    const role = this.#stepTo(top, at, colon);
    const key = isKeyedRole(role) ? text.slice(at, colon) : "";
    if (role !== roles.none && !isScalarRole(role)) top.object?.meet(role, at);
    const value = skipBlanks(text, colon + 1, stop);
    if (value < stop && text.charCodeAt(value) !== 35) return this.#readValue(value, stop, role, key, top);
    this.#await(role, key, top, colon + 1, stop);
    return true;
  }

  #stepTo({ role, object }: Frame, at: number, colon: number): Role {
    if (role === roles.none) return roles.none;
    const next = stepAt(role, this.#text, at, colon);
    return object?.ignores(next) === true ? roles.none : next;
  }

  #await(role: Role, key: string, { object }: Frame, from: number, stop: number): void {
    const awaited = this.#awaited;
    awaited.isOpen = true;
    awaited.role = role;
    awaited.object = object;
    awaited.key = key;
    awaited.from = from;
    awaited.stop = stop;
  }

  #readValue(at: number, stop: number, role: Role, key: string, top: Frame | undefined): boolean {
    const kind = this.#value.read(this.#text, at, stop);
    if (kind === values.blockScalar) this.#scalar.open(top?.column ?? 0);
    if (kind === values.unknown || role === roles.none) return kind !== values.unknown;
    // A value that may have to be changed, and is no scalar, is left to the library.
    if (kind !== values.scalar || !isScalarRole(role)) return false;
    const { end } = this.#value;
    top?.object?.noteScalar(role, key, { start: at, end, value: readScalarText(this.#text.slice(at, end)) });
    return true;
  }
}

/** Records where an entry can be added to a map: before its first child. A list in place of a map has no such place. */
function noteOpened(object: ObjectDraft | undefined, role: Role, isList: boolean, at: number, column: number): void {
  if (role === roles.object || stepIntoList(role) !== roles.none) return;
  if (isList) object?.doubt("layout", at + column);
  else object?.noteMap(role, { form: "block", at, indent: column });
}

/** Skips `---` and its comment; undefined where more is on its line. */
function findBody(text: string, { start, end }: Span): number | undefined {
  if (!text.startsWith("---", start)) return start;
  const newline = text.indexOf("\n", start);
  const next = newline === -1 || newline >= end ? end : newline;
  const stop = next > start && text.charCodeAt(next - 1) === 13 ? next - 1 : next;
  return isRestEmpty(text, start + 3, stop) ? Math.min(next + 1, end) : undefined;
}

/** The objects of one document; undefined for one that is not plain block YAML. */
export function scanBlock(text: string, piece: Span): readonly ManifestObject[] | undefined {
  const body = findBody(text, piece);
  if (body === undefined) return undefined;
  const scan = new BlockScan(text, piece.end);
  return scan.scan(body) ? scan.objects : undefined;
}
