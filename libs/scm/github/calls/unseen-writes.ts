/** The most that are remembered: what is created is listed within seconds. */
const mostKept = 1000;

/**
 * What this process created and no list has shown yet. An answer of GitHub's may be seconds old, and by such a list it would be
 * created a second time.
 */
export interface UnseenWrites<T> {
  note(key: string, made: T): void;
  /** What a list lacks; forgotten once a list has it. */
  find(key: string, isListed: (made: T) => boolean): T | undefined;
}

export function createUnseenWrites<T>(): UnseenWrites<T> {
  const unseen = new Map<string, T>();
  return {
    note(key, made) {
      unseen.set(key, made);
      const [oldest] = unseen.keys();
      if (unseen.size > mostKept && oldest !== undefined) unseen.delete(oldest);
    },
    find(key, isListed) {
      const made = unseen.get(key);
      if (made === undefined || !isListed(made)) return made;
      unseen.delete(key);
      return undefined;
    },
  };
}
