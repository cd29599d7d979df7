/** What the executor could not do in one cluster, in sentences for people, by what it is about. */
export interface Troubles {
  /** Answers whether it says something new. */
  put(about: string, text: string): boolean;
  clear(about: string): void;
  /** Clears those about workloads (`namespace/Kind/name`) that are not there any more: they would never be cleared. */
  retainWorkloads(isMigrated: (key: string) => boolean): void;
  /** The cluster's own first, then the oldest; how many more there are is said, not listed. */
  list(): readonly string[];
}

/** A cluster that refuses everything must fill neither our memory nor the value that shows its problems. */
const mostKept = 200;
const mostListed = 20;

function isAboutWorkload(about: string): boolean {
  return about.includes("/");
}

/** `onChange` is called when the list is another one. */
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
    retainWorkloads(isMigrated) {
      for (const about of texts.keys()) if (isAboutWorkload(about) && !isMigrated(about)) remove(about);
    },
    list() {
      const sorted = [...texts].toSorted(([a], [b]) => Number(isAboutWorkload(a)) - Number(isAboutWorkload(b)));
      const listed = sorted.slice(0, mostListed).map(([, text]) => text);
      const more = sorted.length - listed.length;
      return more === 0 ? listed : [...listed, `and ${more} more workloads, see the executor's log`];
    },
  };
}
