import type { Malformed, ManifestObject, MapPlace, Scalar } from "../objects/manifest-object.ts";
import { ObjectDraft } from "../objects/object-draft.ts";
import { isScalarRole, type Role, roles, stepIntoList, stepTo } from "../objects/roles.ts";

const mostDeep = 500;
const blanks = /[ \t\r\n]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids controls in a string
const string = /"(?:[^"\\\0-\x1F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const word = /true|false|null/y;

/** The map or list that a value is part of. */
interface Part {
  readonly role: Role;
  readonly key: string;
  readonly object: ObjectDraft | undefined;
}

const nothing: Part = { role: roles.none, key: "", object: undefined };

class JsonError extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Reads consecutive JSON values strictly, and records the places that matter. */
class JsonScan {
  readonly #text: string;
  readonly #end: number;
  #at: number;
  #depth = 0;
  readonly objects: ObjectDraft[] = [];

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
  }

  readAll(): void {
    this.#skipBlanks();
    while (this.#at < this.#end) {
      this.#readValue({ ...nothing, role: roles.object });
      this.#skipBlanks();
    }
  }

  #skipBlanks(): void {
    blanks.lastIndex = this.#at;
    blanks.exec(this.#text);
    this.#at = blanks.lastIndex;
  }

  #readValue(part: Part): void {
    switch (this.#text.charCodeAt(this.#at)) {
      case 123:
        this.#readMap(part);
        return;
      case 91:
        this.#readList(part);
        return;
      case 34:
        this.#noteScalar(part, this.#take(string, "a string that does not end, or has a character that JSON forbids"));
        return;
      default:
        this.#noteScalar(part, this.#take(this.#isWord() ? word : number, "no JSON value can start here"));
    }
  }

  #isWord(): boolean {
    return "tfn".includes(this.#text.charAt(this.#at)) && this.#at < this.#end;
  }

  #take(form: RegExp, message: string): string {
    form.lastIndex = this.#at;
    const [found] = form.exec(this.#text) ?? [];
    if (found === undefined || form.lastIndex > this.#end) throw new JsonError(this.#at, message);
    this.#at = form.lastIndex;
    return found;
  }

  #noteScalar({ role, key, object }: Part, raw: string): void {
    if (role === roles.none || object === undefined) return;
    const start = this.#at - raw.length;
    if (!isScalarRole(role)) {
      if (raw === "null") object.noteMap(role, { form: "value", at: start, end: this.#at, entries: [] });
      else object.doubt("notText", start);
      return;
    }
    const value = raw.startsWith('"') ? (JSON.parse(raw) as string) : raw === "null" ? "" : raw;
    const scalar: Scalar = { start, end: this.#at, value };
    object.noteScalar(role, key, scalar);
  }

  #enter(): void {
    if (++this.#depth > mostDeep) throw new JsonError(this.#at, "it is nested too deeply");
    this.#at++;
  }

  #readList({ role, object }: Part): void {
    const items = stepIntoList(role);
    if (role !== roles.none && items === roles.none && role !== roles.object) object?.doubt("notText", this.#at);
    const owner = items === roles.expression ? object : undefined;
    const part: Part = items === roles.none ? nothing : { ...nothing, role: items, object: owner };
    this.#enter();
    this.#skipBlanks();
    if (this.#isNext(93)) return this.#leave();
    for (;;) {
      this.#readValue(part);
      this.#skipBlanks();
      if (this.#isNext(93)) return this.#leave();
      this.#expect(44, "`,` or `]` is missing");
      this.#skipBlanks();
    }
  }

  #readMap(part: Part): void {
    const object = part.role === roles.object ? this.#open() : part.object;
    const open = this.#at;
    this.#enter();
    this.#skipBlanks();
    const first = this.#at;
    if (part.role !== roles.none && part.role !== roles.object) {
      if (isScalarRole(part.role)) object?.doubt("notText", open);
      else object?.noteMap(part.role, this.#describePlace(open, first));
    }
    if (this.#isNext(125)) return this.#leave();
    for (;;) {
      this.#readPair(part.role, object);
      this.#skipBlanks();
      if (this.#isNext(125)) return this.#leave();
      this.#expect(44, "`,` or `}` is missing");
      this.#skipBlanks();
    }
  }

  /** The layout of a map: entries on lines of their own or not, a blank after the colon or not. */
  #describePlace(open: number, first: number): MapPlace {
    const between = this.#text.slice(open + 1, first);
    const indent = between.includes("\n") ? between.slice(between.lastIndexOf("\n") + 1) : undefined;
    const isEmpty = this.#isNext(125);
    string.lastIndex = first;
    string.exec(this.#text);
    const gap = isEmpty || /^\s*:\s/.test(this.#text.slice(string.lastIndex, string.lastIndex + 10)) ? " " : "";
    const at = isEmpty || indent === undefined ? open + 1 : first;
    return { form: "json", at, isEmpty, gap, ...(indent === undefined || isEmpty ? {} : { indent }) };
  }

  #readPair(role: Role, object: ObjectDraft | undefined): void {
    const at = this.#at;
    const raw = this.#take(string, "a key in double quotes is missing");
    this.#skipBlanks();
    this.#expect(58, "`:` is missing");
    this.#skipBlanks();
    if (role === roles.none) return this.#readValue(nothing);
    const key = JSON.parse(raw) as string;
    const next = stepTo(role, key);
    if (next !== roles.none && !isScalarRole(next)) object?.meet(next, at);
    return this.#readValue({ role: next, key, object });
  }

  #open(): ObjectDraft {
    const object = new ObjectDraft(this.#at);
    this.objects.push(object);
    return object;
  }

  #leave(): void {
    this.#at++;
    this.#depth--;
  }

  #isNext(code: number): boolean {
    return this.#at < this.#end && this.#text.charCodeAt(this.#at) === code;
  }

  #expect(code: number, message: string): void {
    if (!this.#isNext(code)) throw new JsonError(this.#at, message);
    this.#at++;
  }
}

/** The objects of consecutive JSON values, or the first place that is not JSON. */
export function scanJson(
  text: string,
  start: number,
  end: number,
):
  | { readonly ok: true; readonly objects: readonly ManifestObject[] }
  | { readonly ok: false; readonly malformed: Malformed } {
  const scan = new JsonScan(text, start, end);
  try {
    scan.readAll();
    return { ok: true, objects: scan.objects };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { ok: false, malformed: { at: error.at, message: error.message } };
  }
}
