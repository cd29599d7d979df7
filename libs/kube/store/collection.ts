import type { ApiObject } from "../api-types.ts";

/** Where a reflector puts what it reads. `upsert` throws `CollectionFull` where there is no room. */
export interface Sink {
  upsert(object: ApiObject): void;
  remove(object: ApiObject): void;
  /** A list begins: objects that it has not named by its end are removed. */
  beginList(): void;
  endList(): void;
  /** A list broke off; nothing is removed. */
  abandonList(): void;
}

/** The collection has more objects than are kept. */
export class CollectionFull extends Error {
  override readonly name = "CollectionFull";

  constructor() {
    super(`there are more than ${mostObjects} objects`);
  }
}

/** Several times the pods of the largest clusters (150,000): an endless list must not use up the memory. */
const mostObjects = 500_000;

export interface CollectionOptions<Kept> {
  readonly keyOf: (object: ApiObject) => string;
  /** What is kept of an object; undefined when it is of no interest (any more). */
  readonly project: (object: ApiObject) => Kept | undefined;
  /** Called whenever one is added, replaced or removed. */
  readonly changed: (next: Kept | undefined, before: Kept | undefined) => void;
}

export interface Collection<Kept> extends Sink {
  readonly kept: ReadonlyMap<string, Kept>;
}

/** The objects of one resource. Each is projected at once, so that no full object outlives its page. */
export function createCollection<Kept>(options: CollectionOptions<Kept>): Collection<Kept> {
  const kept = new Map<string, Kept>();
  let seen: Set<string> | undefined;
  const put = (key: string, next: Kept | undefined) => {
    const before = kept.get(key);
    if (before === undefined && kept.size >= mostObjects) throw new CollectionFull();
    if (next === undefined) kept.delete(key);
    else kept.set(key, next);
    if (next !== undefined || before !== undefined) options.changed(next, before);
  };
  return {
    kept,
    upsert: (object) => {
      const key = options.keyOf(object);
      if (seen !== undefined && seen.add(key).size > mostObjects) throw new CollectionFull();
      put(key, options.project(object));
    },
    remove: (object) => put(options.keyOf(object), undefined),
    beginList: () => void (seen = new Set()),
    abandonList: () => void (seen = undefined),
    endList: () => {
      for (const key of kept.keys()) if (seen?.has(key) === false) put(key, undefined);
      seen = undefined;
    },
  };
}

/** Passes what one reflector reads to several collections. */
export function combineSinks(sinks: readonly Sink[]): Sink {
  const each = (act: (sink: Sink) => void) => () => sinks.forEach(act);
  return {
    upsert: (object) => sinks.forEach((sink) => sink.upsert(object)),
    remove: (object) => sinks.forEach((sink) => sink.remove(object)),
    beginList: each((sink) => sink.beginList()),
    endList: each((sink) => sink.endList()),
    abandonList: each((sink) => sink.abandonList()),
  };
}
