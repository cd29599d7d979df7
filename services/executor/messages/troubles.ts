/** What the executor could not do in one cluster, as sentences for people, each by the thing it is about. */
export interface Troubles {
  /** Returns whether the text is new. */
  put(about: string, text: string): boolean;
  clear(about: string): void;
  /** Clears those about workloads (`namespace/Kind/name`) that no longer exist, which nothing else would clear. */
  retainWorkloads(isKnown: (key: string) => boolean): void;
  /** The cluster's own first, then the oldest; of the rest only the number. */
  list(): readonly string[];
}

/** Limits of what is kept and what is listed, for a cluster that refuses everything. */
const mostKept = 200;
const mostListed = 20;

function isAboutWorkload(about: string): boolean {
  return about.includes("/");
}

/** `onChange` is called when the list has changed. */
export function createTroubles(onChange: () => void): Troubles {
  const texts = new Map<string, string>();

  function remove(about: string): void {
    if (texts.delete(about)) onChange();
  }

  return {
    put(about, text) {
      if (texts.get(about) === text) return false;
      const oldest = [...texts.keys()].find(isAboutWorkload);
      if (texts.size >= mostKept && !texts.has(about) && oldest !== undefined) texts.delete(oldest);
      texts.set(about, text);
      onChange();
      return true;
    },
    clear: remove,
    retainWorkloads(isKnown) {
      for (const about of texts.keys()) if (isAboutWorkload(about) && !isKnown(about)) remove(about);
    },
    list() {
      const sorted = [...texts].toSorted(([a], [b]) => Number(isAboutWorkload(a)) - Number(isAboutWorkload(b)));
      const listed = sorted.slice(0, mostListed).map(([, text]) => text);
      const more = sorted.length - listed.length;
      return more === 0 ? listed : [...listed, `and ${more} more workloads, see the executor's log`];
    },
  };
}
