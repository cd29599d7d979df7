/** An operation of a JSON Patch (RFC 6902), of the kinds that the api sends. */
export type Operation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move"; readonly path: string; readonly from: string };

type Holder = unknown[] | Record<string, unknown>;

/** The container that a pointer leads to, and the key in it. Throws where the document has no such place. */
function findPlace(root: Holder, pointer: string): { readonly holder: Holder; readonly key: string } {
  const keys = pointer.split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = keys.pop() ?? "";
  let holder: Holder = root;
  for (const each of keys) {
    const next: unknown = Object.hasOwn(holder, each) ? (holder as Record<string, unknown>)[each] : undefined;
    if (typeof next !== "object" || next === null) throw new Error(`no ${pointer} in the document`);
    holder = next as Holder;
  }
  return { holder, key };
}

/** Defines an own property, whatever its name: a key such as `__proto__` must not reach the prototype. */
function set(holder: Holder, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, configurable: true, enumerable: true, writable: true });
}

function put(root: Holder, pointer: string, value: unknown): void {
  const { holder, key } = findPlace(root, pointer);
  if (Array.isArray(holder)) holder.splice(Number(key), 0, value);
  else set(holder, key, value);
}

function take(root: Holder, pointer: string): unknown {
  const { holder, key } = findPlace(root, pointer);
  if (!Object.hasOwn(holder, key)) throw new Error(`no ${pointer} in the document`);
  if (Array.isArray(holder)) return holder.splice(Number(key), 1)[0];
  const value = holder[key];
  delete holder[key];
  return value;
}

function replace(root: Holder, pointer: string, value: unknown): void {
  const { holder, key } = findPlace(root, pointer);
  set(holder, key, value);
}

/** A changed copy. Throws where the patch does not fit: then the document has to be read again. */
export function applyPatch<T>(document: T, operations: readonly Operation[]): T {
  // Under the empty key, so that the whole document can be replaced as well.
  const root: Record<string, unknown> = { "": structuredClone(document) };
  for (const operation of operations) {
    if (operation.op === "remove") take(root, operation.path);
    else if (operation.op === "move") put(root, operation.path, take(root, operation.from));
    else if (operation.op === "add") put(root, operation.path, operation.value);
    else replace(root, operation.path, operation.value);
  }
  return root[""] as T;
}
