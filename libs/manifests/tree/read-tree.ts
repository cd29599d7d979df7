import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from "yaml";

import type { ManifestObject, ReadObjects, Span } from "../objects/manifest-object.ts";
import { ObjectDraft } from "../objects/object-draft.ts";
import { isKeyedRole, isScalarRole, type Role, roles, stepTo } from "../objects/roles.ts";
import { Anchors, TooManyAliases } from "./anchors.ts";
import { findMapPlace } from "./map-place.ts";

/** Longest document for the library, which needs fifty times its size. No object in etcd is as long. */
const mostTreeLength = 16 * 1024 * 1024;

const options = {
  schema: "core",
  merge: true,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;

/** One walk over a document that the library parsed. */
class TreeWalk {
  readonly #text: string;
  readonly #anchors: Anchors;
  readonly objects: ObjectDraft[] = [];
  readonly #offset: number;

  constructor(text: string, anchors: Anchors, offset: number) {
    this.#text = text;
    this.#anchors = anchors;
    this.#offset = offset;
  }

  readObject(node: Node | null | undefined): void {
    const map = this.#resolve(node);
    if (!isMap(map)) return;
    const object = new ObjectDraft(this.#offset + (map.range?.[0] ?? 0));
    this.objects.push(object);
    // A node that is used elsewhere cannot be changed for this object alone.
    if (isAlias(node) || this.#isShared(map)) object.doubt("sharedAnchor", object.at);
    this.#readMap(object, map, roles.object);
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? this.#anchors.follow(node) : node;
  }

  /** Another place uses its anchor, so a change would apply there too. */
  #isShared(node: unknown): boolean {
    return (isMap(node) || isScalar(node)) && node.anchor !== undefined && this.#anchors.referred.has(node.anchor);
  }

  /** `isElsewhere`: the map's contents cannot be changed here. */
  #readMap(object: ObjectDraft, map: YAMLMap, role: Role, isElsewhere = false): void {
    const own = new Set<string>();
    for (const pair of map.items) {
      const key = readKey(this.#resolve(pair.key));
      if (key === undefined || key === "<<") continue;
      own.add(key);
      this.#readValue(object, pair, stepTo(role, key), key, isElsewhere);
    }
    for (const merged of this.#listMerged(map)) this.#readMerged(object, merged, role, own);
  }

  #listMerged(map: YAMLMap): readonly YAMLMap[] {
    return map.items
      .filter((pair) => readKey(pair.key) === "<<")
      .flatMap(({ value }) => {
        const from = this.#resolve(value);
        const sources = isSeq(from) ? from.items.map((item) => this.#resolve(item)) : [from];
        return sources.filter((source) => isMap(source));
      });
  }

  /** Entries that come from a merge key are read. They cannot be changed here, but an own entry overrides them. */
  #readMerged(object: ObjectDraft, map: YAMLMap, role: Role, own: Set<string>): void {
    for (const pair of map.items) {
      const key = readKey(this.#resolve(pair.key));
      if (key === undefined || own.has(key)) continue;
      own.add(key);
      const next = stepTo(role, key);
      if (next === roles.none) continue;
      if (!isScalarRole(next)) object.doubt("sharedAnchor", this.#findStart(pair));
      this.#readValue(object, pair, next, key, true);
    }
  }

  #readValue(object: ObjectDraft, pair: Pair, role: Role, key: string, isMerged: boolean): void {
    if (role === roles.none) return;
    if (isScalarRole(role)) this.#readScalar(object, pair, role, key, isMerged);
    else if (role === roles.items) this.#readItems(pair);
    else if (role === roles.expressions) this.#readExpressions(object, pair);
    else this.#readBelow(object, pair, role);
  }

  #readItems(pair: Pair): void {
    const list = this.#resolve(pair.value);
    if (isSeq(list)) for (const item of list.items) this.readObject(item as Node);
  }

  #readExpressions(object: ObjectDraft, pair: Pair): void {
    object.meet(roles.expressions, this.#findStart(pair));
    const list = this.#resolve(pair.value);
    const maps = isSeq(list) ? list.items.map((item) => this.#resolve(item)) : [];
    for (const map of maps) if (isMap(map)) this.#readMap(object, map, roles.expression);
  }

  #readBelow(object: ObjectDraft, pair: Pair, role: Role): void {
    const at = this.#findStart(pair);
    object.meet(role, at);
    const place = findMapPlace(this.#text, pair, this.#anchors);
    if (place === undefined) object.doubt("layout", at);
    else object.noteMap(role, moveBy(place, this.#offset));
    const map = this.#resolve(pair.value);
    if (!isMap(map)) return;
    // An alias of a few labels is replaced by a map; a larger one stays.
    const isOwnCopy = place?.form === "value";
    if (!isOwnCopy && isWritten(role) && (isAlias(pair.value) || this.#isShared(map))) object.doubt("sharedAnchor", at);
    this.#readMap(object, map, role, isOwnCopy);
  }

  #readScalar(object: ObjectDraft, pair: Pair, role: Role, key: string, isMerged: boolean): void {
    const node = pair.value;
    const scalar = this.#resolve(node);
    const at = this.#findStart(pair);
    if (scalar !== null && !isScalar(scalar)) {
      object.doubt("notText", at);
      return;
    }
    // Only labels and annotations are replaced.
    if (isKeyedRole(role) && !this.#isReplaceable(node, scalar)) object.doubt("sharedAnchor", at);
    const range = isMerged ? undefined : (node as ParsedNode | null)?.range;
    // Without an own place it is only read: a new entry is inserted before it.
    const span = range === undefined ? nowhere : { start: this.#offset + range[0], end: this.#offset + range[1] };
    object.noteScalar(role, key, { ...span, value: readText(scalar) });
  }

  /** On one line and without an anchor that is used elsewhere. An alias is replaced by a text. */
  #isReplaceable(node: unknown, scalar: Scalar | null): boolean {
    if (scalar === null || isAlias(node)) return true;
    const isBlock = scalar.type === "BLOCK_LITERAL" || scalar.type === "BLOCK_FOLDED";
    return !isBlock && !this.#isShared(scalar);
  }

  #findStart(pair: Pair): number {
    return this.#offset + ((pair.key as ParsedNode | null)?.range?.[0] ?? 0);
  }
}

/** A selector is only read. */
function isWritten(role: Role): boolean {
  return role !== roles.selector && role !== roles.matchLabels;
}

const nowhere = { start: -1, end: -1 };

/** As written, because `1.20` is a revision and no number; null is the empty text. */
function readText(scalar: Scalar | null): string {
  if (scalar === null || scalar.value === null) return "";
  return scalar.source ?? JSON.stringify(scalar.value);
}

function readKey(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === "symbol" ? "<<" : readText(key);
}

function moveBy<Place extends { readonly at: number; readonly end?: number }>(place: Place, offset: number): Place {
  return { ...place, at: place.at + offset, ...(place.end === undefined ? {} : { end: place.end + offset }) };
}

/** The objects of a document by the YAML library, or the place where it is no YAML. */
export function readTree(text: string, { start, end }: Span): ReadObjects {
  if (end - start > mostTreeLength) {
    return malformed(start, "a document of more than 16 MB that is no plain block YAML: split it, or write it as JSON");
  }
  const piece = text.slice(start, end);
  try {
    const objects: ManifestObject[] = [];
    for (const document of parseAllDocuments(piece, options)) {
      const [error] = document.errors;
      if (error !== undefined) return malformed(start + Math.min(error.pos[0], piece.length), explain(error.message));
      const anchors = new Anchors(document);
      const lost = anchors.lost as Alias.Parsed | undefined;
      if (lost !== undefined) return malformed(start + lost.range[0], "an alias of an anchor that does not exist");
      const walk = new TreeWalk(piece, anchors, start);
      walk.readObject(document.contents);
      objects.push(...walk.objects);
    }
    return { ok: true, objects };
  } catch (error) {
    if (error instanceof RangeError) return malformed(start, "it is nested too deeply");
    if (error instanceof TooManyAliases) return malformed(start, error.message);
    if (error instanceof ReferenceError) return malformed(start, explain(error.message));
    throw error;
  }
}

function malformed(at: number, message: string): ReadObjects {
  return { ok: false, malformed: { at, message } };
}

function explain(message: string): string {
  const first = message.split("\n", 1)[0] ?? "";
  return first.charAt(0).toLowerCase() + first.slice(1);
}
