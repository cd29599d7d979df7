/** A branch that changed; `before` is absent when it was created, `after` when it was deleted. */
export interface BranchMove {
  readonly branch: string;
  readonly before?: string;
  readonly after?: string;
}

/** The differences between two readings of the branches. */
export function listMoves(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly BranchMove[] {
  const moves: BranchMove[] = [];
  for (const branch of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(branch), after.get(branch)];
    if (from === to) continue;
    moves.push({ branch, ...(from === undefined ? {} : { before: from }), ...(to === undefined ? {} : { after: to }) });
  }
  return moves;
}
