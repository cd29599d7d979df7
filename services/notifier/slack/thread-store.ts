import type { Chat, Content, Draft, Found, Marker } from "#libs/chat";

/** Our messages by key, as this process last read or posted them. */
export interface ThreadStore {
  /** A message of the channel, outside threads. */
  findRoot(key: string): Promise<Found | undefined>;
  /** Messages of the channel, outside threads, whose keys begin with the prefix, newest first. */
  listRoots(prefix: string): Promise<readonly Found[]>;
  /** The messages of a thread, by key. */
  readThread(root: string): Promise<ReadonlyMap<string, Found>>;
  post(draft: Draft): Promise<string>;
  /** False when the message was deleted. */
  update(found: Found, thread: string | undefined, content: Content & { readonly marker: Marker }): Promise<boolean>;
  /** Drops the cache: another notifier may have posted. */
  forget(): void;
}

/** Real ms; older messages of the channel are not searched. Runs take weeks at most. */
const reachMs = 30 * 24 * 3_600_000;
const mostThreads = 50;

/** An empty store for a channel. */
export function createThreadStore(chat: Chat): ThreadStore {
  let roots: Map<string, Found> | undefined;
  const threads = new Map<string, Map<string, Found>>();

  async function loadRoots(): Promise<Map<string, Found>> {
    if (roots !== undefined) return roots;
    const found = await chat.findRoots(reachMs);
    // Of two messages with one key the older one counts, for all notifiers.
    roots = new Map(found.map((each) => [each.marker.key, each]));
    return roots;
  }

  async function loadThread(root: string): Promise<Map<string, Found>> {
    const known = threads.get(root);
    if (known !== undefined) return known;
    const found = await chat.readThread(root);
    const thread = new Map(found.toReversed().map((each) => [each.marker.key, each]));
    threads.set(root, thread);
    const oldest = threads.keys().next().value;
    if (threads.size > mostThreads && oldest !== undefined) threads.delete(oldest);
    return thread;
  }

  function remember(found: Found, thread: string | undefined): void {
    const map = thread === undefined ? roots : threads.get(thread);
    map?.set(found.marker.key, found);
  }

  return {
    findRoot: async (key) => (await loadRoots()).get(key),
    listRoots: async (prefix) =>
      [...(await loadRoots()).values()].filter(({ marker }) => marker.key.startsWith(prefix)),
    readThread: loadThread,
    async post(draft) {
      const id = await chat.post(draft);
      remember({ id, marker: draft.marker }, draft.thread);
      return id;
    },
    async update(found, thread, content) {
      const wasUpdated = await chat.update(found.id, content);
      if (wasUpdated) remember({ id: found.id, marker: content.marker }, thread);
      else (thread === undefined ? roots : threads.get(thread))?.delete(found.marker.key);
      return wasUpdated;
    },
    forget() {
      roots = undefined;
      threads.clear();
    },
  };
}
