import type { NamespaceInventory } from "#libs/fleet";

/** A value that was computed for everything below a node, and its owner. */
interface Note {
  readonly owner: object;
  readonly found: unknown;
}

/** A node of the tree. Immutable, so that values computed for everything below it stay valid. */
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

  /**
   * The value that this owner stored here last; undefined when another owner has stored one since. A separate table would cost
   * ten times as much.
   */
  recall(owner: object): unknown {
    return this.#note?.owner === owner ? this.#note.found : undefined;
  }

  note(owner: object, found: unknown): void {
    this.#note = { owner, found };
  }

  /** As `recall`, for the namespace alone: it stays valid when the node moves or something below it changes. */
  recallOwn(owner: object): unknown {
    return this.#own?.owner === owner ? this.#own.found : undefined;
  }

  noteOwn(owner: object, found: unknown): void {
    this.#own = { owner, found };
  }
}

type Branch = TreeNode | undefined;

/** By the name (FNV-1a), so that the same namespaces give the same tree, whatever changed in which order. */
function choosePriority(name: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x0100_0193);
  }
  // The last byte changes few of FNV's high bits, which are compared first.
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

/** The nodes before `sortKey`, and those after it; without the node of that key. */
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

/** All keys of `left` must sort before those of `right`. */
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
 * A cluster's namespaces as an immutable, sorted map. A changed map shares all but a few nodes with the old one, so a snapshot
 * costs nothing, and judgements below shared nodes stay valid.
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
    // An existing name keeps its node's key and priority.
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

/** Names whose inventories differ between two trees. The cost is in the difference, because shared nodes are skipped. */
export function listDifferences(a: Branch, b: Branch): readonly string[] {
  const names: string[] = [];
  addDifferences(a, b, names);
  return names;
}
