import { findNamed } from "#libs/input";
import type { Chat, Content, Found } from "#libs/chat";

import { digestOf } from "../facts/digest.ts";
import { dateReport, type RateLimiter } from "../delivery/rate-limiter.ts";
import type { RunStore } from "../facts/run-store.ts";
import { renderRunRoot } from "../render/slack/run-root.ts";
import type { ThreadStore } from "./thread-store.ts";

/** The runs' own messages, which are edited in place. */
export interface RootMessages {
  /** The id of the run's message; it is posted where there is none. */
  ensure(run: string): Promise<string>;
  /** Shows the newest state if the rate limit allows it; does nothing for a run without a message. */
  edit(run: string): Promise<void>;
}

function nameRoot(run: string): string {
  return `run/${run}`;
}

/** Real ms between two searches for messages that another notifier may have posted. */
const searchEveryMs = 60_000;

export function createRootMessages(
  chat: Chat,
  store: ThreadStore,
  runs: RunStore,
  rateLimiter: RateLimiter,
  monotonic: () => number,
): RootMessages {
  const ids = new Map<string, string>();
  /** The digest that this process showed last; an unchanged one causes no request. */
  const shown = new Map<string, string>();
  let searchedAt = Number.NEGATIVE_INFINITY;

  /** The id of a message that another notifier or an earlier process posted. */
  async function search(run: string): Promise<string | undefined> {
    const known = ids.get(run);
    if (known !== undefined || monotonic() - searchedAt < searchEveryMs) return known;
    searchedAt = monotonic();
    const found: readonly Found[] = await chat.findRoots(30 * 24 * 3_600_000);
    for (const { id, marker } of found) {
      const named = findNamed("run", marker.key);
      if (named !== undefined) ids.set(named, id);
    }
    return ids.get(run);
  }

  async function show(run: string, id: string, content: Content): Promise<void> {
    if (await chat.update(id, { ...content, marker: { key: nameRoot(run) } })) return;
    // A person deleted it: it is posted again only with the next news.
    ids.delete(run);
    store.forget();
  }

  return {
    async ensure(run) {
      const found = await store.findRoot(nameRoot(run));
      const content = renderRunRoot(runs.report(run));
      const id = found?.id ?? (await store.post({ ...content, marker: { key: nameRoot(run) } }));
      ids.set(run, id);
      return id;
    },
    async edit(run) {
      const report = runs.report(run);
      const content = renderRunRoot(report);
      const digest = digestOf(content);
      if (shown.get(run) === digest) return;
      const id = await search(run);
      if (id === undefined) return;
      const key = `slack.${run}`;
      const outcome = await rateLimiter.claim({ key, digest, ...dateReport(report) });
      if (outcome === "later") return;
      if (outcome === "ours") {
        try {
          await show(run, id, content);
        } catch (error) {
          await rateLimiter.release(key);
          throw error;
        }
      }
      shown.set(run, digest);
    },
  };
}
