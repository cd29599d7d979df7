import type { ApiObject } from "./api-types.ts";

/** Where a reflector puts what it reads. */
export interface Sink {
  upsert(object: ApiObject): void;
  remove(object: ApiObject): void;
  /** A list begins: what it does not name by its end is gone. */
  beginList(): void;
  endList(): void;
  /** Releases what a broken list has seen; nothing is removed. */
  abandonList(): void;
}

export interface CollectionOptions<Kept> {
  readonly keyOf: (object: ApiObject) => string;
  /** What is kept of an object; undefined when it does not concern us (any more). */
  readonly project: (object: ApiObject) => Kept | undefined;
  /** Called whenever one is added, replaced or removed. */
  readonly changed: (next: Kept | undefined, before: Kept | undefined) => void;
}

export interface Collection<Kept> extends Sink {
  readonly kept: ReadonlyMap<string, Kept>;
}

/** The objects of one resource, projected at once, so that no full object outlives its page. */
export function createCollection<Kept>(options: CollectionOptions<Kept>): Collection<Kept> {
  const kept = new Map<string, Kept>();
  let seen: Set<string> | undefined;
  const put = (key: string, next: Kept | undefined) => {
    const before = kept.get(key);
    if (next === undefined) kept.delete(key);
    else kept.set(key, next);
    if (next !== undefined || before !== undefined) options.changed(next, before);
  };
  return {
    kept,
    upsert: (object) => {
      const key = options.keyOf(object);
      seen?.add(key);
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

/** Several views of the same objects, fed by one reflector. */
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
