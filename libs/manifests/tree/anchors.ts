import { type Alias, type Document, type Node, visit } from "yaml";

/** A document of aliases that multiply, or of more than anyone writes: reading it would take minutes. */
export class TooManyAliases extends Error {
  override readonly name = "TooManyAliases";

  constructor() {
    super(`more than ${mostFollowed} uses of anchors`);
  }
}

/** In one document, counted each time that one is followed: a list of lists of aliases follows some again and again. */
const mostFollowed = 10_000;

/** What each alias of a document stands for: the last node of its name before it. Found in one walk, for the library walks for each. */
export class Anchors {
  readonly #nodes = new Map<Alias, Node>();
  readonly referred = new Set<string>();
  /** The first alias of an anchor that does not exist. */
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
