import { type Alias, type Document, type Node, visit } from "yaml";

/** A document with aliases that multiply: reading it could take minutes. */
export class TooManyAliases extends Error {
  override readonly name = "TooManyAliases";

  constructor() {
    super(`more than ${mostFollowed} uses of anchors`);
  }
}

/** Most aliases that are followed in one document, repeated ones included. */
const mostFollowed = 10_000;

/**
 * The node of each alias: the last one with its anchor before it. Found in one walk, because the library walks for each alias.
 */
export class Anchors {
  readonly #nodes = new Map<Alias, Node>();
  readonly referred = new Set<string>();
  /** The first alias without an anchor. */
  readonly lost: Alias | undefined;
  #followed = 0;

  constructor(document: Document.Parsed) {
    const named = new Map<string, Node>();
    const lost: Alias[] = [];
    visit(document, {
      Value: (_key, node) => void (node.anchor !== undefined && named.set(node.anchor, node)),
      Alias: (_key, alias) => {
        this.referred.add(alias.source);
        const node = named.get(alias.source);
        if (node === undefined) lost.push(alias);
        else this.#nodes.set(alias, node);
      },
    });
    [this.lost] = lost;
  }

  /** Throws `TooManyAliases`. */
  follow(alias: Alias): Node | undefined {
    this.#followed += 1;
    if (this.#followed > mostFollowed) throw new TooManyAliases();
    return this.#nodes.get(alias);
  }
}
