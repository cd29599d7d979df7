/** Collects names and reports each once per turn of the event loop, so that a thousand events make one evaluation. */
export interface ChangeFeed {
  /** A namespace changed; undefined: facts of the cluster. */
  add(namespace: string | undefined): void;
  /** Changes before the first listener are dropped: the first list is read as a whole. */
  listen(listener: (namespace: string | undefined) => void): void;
  stop(): void;
}

export function createChangeFeed(defer: (flush: () => void) => void): ChangeFeed {
  const changed = new Set<string | undefined>();
  let listener: ((namespace: string | undefined) => void) | undefined;
  const flush = () => {
    const names = [...changed];
    changed.clear();
    for (const name of names) listener?.(name);
  };
  return {
    add: (namespace) => {
      if (listener === undefined) return;
      if (changed.size === 0) defer(flush);
      changed.add(namespace);
    },
    listen: (next) => void (listener = next),
    stop: () => {
      listener = undefined;
      changed.clear();
    },
  };
}
