import type { NamespaceInventory } from "#libs/fleet";

/** What was found out about all that is below a place, and who found it out. */
interface Note {
  readonly owner: object;
  readonly found: unknown;
}

/** A place in the tree: never changed once made, so that what was found out about all that is below it stays true. */
export class TreeNode {
  readonly name: string;
  /** Name and "/": namespaces in the order in which `namespace/Kind/name` sorts their workloads. */
  readonly sortKey: string;
  readonly inventory: NamespaceInventory;
  readonly priority: number;
  readonly left: TreeNode | undefined;
  readonly right: TreeNode | undefined;
  readonly size: number;
  #note: Note | undefined;
  #own: Note | undefined;

  constructor(
    of: Pick<TreeNode, "name" | "sortKey" | "inventory" | "priority">,
    left: TreeNode | undefined,
    right: TreeNode | undefined,
  ) {
    if (of instanceof TreeNode) this.#own = of.#own;
    this.name = of.name;
    this.sortKey = of.sortKey;
    this.inventory = of.inventory;
    this.priority = of.priority;
    this.left = left;
    this.right = right;
    this.size = 1 + (left?.size ?? 0) + (right?.size ?? 0);
  }

  /** What this owner noted here last; nothing when another one did since. A table next to the tree costs ten times as much. */
  recall(owner: object): unknown {
    return this.#note?.owner === owner ? this.#note.found : undefined;
  }

  note(owner: object, found: unknown): void {
    this.#note = { owner, found };
  }

  /** The same of the namespace alone: it stays true, and is kept, when the place moves or something below it changes. */
  recallOwn(owner: object): unknown {
    return this.#own?.owner === owner ? this.#own.found : undefined;
  }

  noteOwn(owner: object, found: unknown): void {
    this.#own = { owner, found };
  }
}

type Branch = TreeNode | undefined;

/** The name decides the place (FNV-1a): the same namespaces give the same tree, whatever was changed in which order. */
function choosePriority(name: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x0100_0193);
  }
  // FNV's last byte decides little of the high bits, and it is those that are compared.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function join(node: TreeNode, left: Branch, right: Branch): TreeNode {
  if (node.left === left && node.right === right) return node;
  return new TreeNode(node, left, right);
}

function isAbove(a: TreeNode, b: TreeNode): boolean {
  return a.priority > b.priority || (a.priority === b.priority && a.sortKey < b.sortKey);
}

/** What sorts before `sortKey`, and what sorts after; the node of that very key is in neither. */
function split(node: Branch, sortKey: string): readonly [Branch, Branch] {
  if (node === undefined) return [undefined, undefined];
  if (node.sortKey === sortKey) return [node.left, node.right];
  if (node.sortKey < sortKey) {
    const [middle, after] = split(node.right, sortKey);
    return [join(node, node.left, middle), after];
  }
  const [before, middle] = split(node.left, sortKey);
  return [before, join(node, middle, node.right)];
}

/** All of `left` sorts before all of `right`. */
function merge(left: Branch, right: Branch): Branch {
  if (left === undefined || right === undefined) return left ?? right;
  return isAbove(left, right)
    ? join(left, left.left, merge(left.right, right))
    : join(right, merge(left, right.left), right.right);
}

function put(node: Branch, added: TreeNode): TreeNode {
  if (node === undefined) return added;
  if (node.sortKey === added.sortKey) return join(added, node.left, node.right);
  if (isAbove(added, node)) return join(added, ...split(node, added.sortKey));
  return added.sortKey < node.sortKey
    ? join(node, put(node.left, added), node.right)
    : join(node, node.left, put(node.right, added));
}

function remove(node: Branch, sortKey: string): Branch {
  if (node === undefined) return undefined;
  if (node.sortKey === sortKey) return merge(node.left, node.right);
  return sortKey < node.sortKey
    ? join(node, remove(node.left, sortKey), node.right)
    : join(node, node.left, remove(node.right, sortKey));
}

function find(node: Branch, sortKey: string): Branch {
  let at = node;
  while (at !== undefined && at.sortKey !== sortKey) at = sortKey < at.sortKey ? at.left : at.right;
  return at;
}

function* walk(node: Branch): Generator<TreeNode, undefined> {
  if (node === undefined) return;
  yield* walk(node.left);
  yield node;
  yield* walk(node.right);
}

/**
 * A cluster's namespaces as an immutable map, sorted. One more or one less makes a new map that shares all but a few
 * places with the old one: a snapshot costs nothing to take, and what was judged below a shared place is still true.
 */
export class NamespaceTree implements ReadonlyMap<string, NamespaceInventory> {
  static readonly empty = new NamespaceTree(undefined);
  readonly root: TreeNode | undefined;

  private constructor(root: Branch) {
    this.root = root;
  }

  static from(entries: Iterable<readonly [string, NamespaceInventory]>): NamespaceTree {
    let tree = NamespaceTree.empty;
    for (const [name, inventory] of entries) tree = tree.with(name, inventory);
    return tree;
  }

  with(name: string, inventory: NamespaceInventory): NamespaceTree {
    const known = find(this.root, `${name}/`);
    if (known?.inventory === inventory) return this;
    // A name that is there keeps its place: its key and its priority are found already.
    const { sortKey, priority } = known ?? { sortKey: `${name}/`, priority: choosePriority(name) };
    return new NamespaceTree(
      put(this.root, new TreeNode({ name, sortKey, inventory, priority }, undefined, undefined)),
    );
  }

  without(name: string): NamespaceTree {
    const root = remove(this.root, `${name}/`);
    return root === this.root ? this : new NamespaceTree(root);
  }

  get size(): number {
    return this.root?.size ?? 0;
  }

  get(name: string): NamespaceInventory | undefined {
    return find(this.root, `${name}/`)?.inventory;
  }

  has(name: string): boolean {
    return find(this.root, `${name}/`) !== undefined;
  }

  *entries(): MapIterator<[string, NamespaceInventory]> {
    for (const { name, inventory } of walk(this.root)) yield [name, inventory];
  }

  *keys(): MapIterator<string> {
    for (const { name } of walk(this.root)) yield name;
  }

  *values(): MapIterator<NamespaceInventory> {
    for (const { inventory } of walk(this.root)) yield inventory;
  }

  [Symbol.iterator](): MapIterator<[string, NamespaceInventory]> {
    return this.entries();
  }

  forEach(
    use: (inventory: NamespaceInventory, name: string, map: ReadonlyMap<string, NamespaceInventory>) => void,
  ): void {
    for (const [name, inventory] of this) use(inventory, name, this);
  }
}

function addDifferences(a: Branch, b: Branch, names: string[]): void {
  if (a === b) return;
  if (a === undefined || b === undefined) {
    for (const { name } of walk(a ?? b)) names.push(name);
    return;
  }
  if (isAbove(b, a)) {
    addDifferences(b, a, names);
    return;
  }
  const [left, right] = split(b, a.sortKey);
  addDifferences(a.left, left, names);
  if (find(b, a.sortKey)?.inventory !== a.inventory) names.push(a.name);
  addDifferences(a.right, right, names);
}

/** Names whose inventories differ between two trees: costs the difference, because what both share is not looked at. */
export function listDifferences(a: Branch, b: Branch): readonly string[] {
  const names: string[] = [];
  addDifferences(a, b, names);
  return names;
}
