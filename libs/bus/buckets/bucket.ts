import { JetStreamApiError } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";

import { NotMade } from "../errors.ts";
import { identify } from "./follow-bucket.ts";
import { makeBucket } from "./make-bucket.ts";
import type { Link, Session } from "../connection/link.ts";
import { checkKey, checkSize } from "../names.ts";
import { retryCall } from "../connection/retry-call.ts";
import type { Entry, KeyValue } from "../port.ts";
import { watchBucket } from "./watch-bucket.ts";

const wrongLastSequence = 10071;
/** The code of newer servers for a replicated stream. */
const wrongLastSequenceOfCopies = 10164;

function isLate(error: unknown): boolean {
  return error instanceof JetStreamApiError && [wrongLastSequence, wrongLastSequenceOfCopies].includes(error.code);
}

/** Writes under a condition; false when another writer was first. */
async function putExpected(kv: KV, key: string, value: string, expected: number): Promise<boolean> {
  try {
    // `create` also replaces a deleted key, whose marker has a revision of its own.
    await (expected === 0 ? kv.create(key, value) : kv.update(key, value, expected));
    return true;
  } catch (error) {
    if (isLate(error)) return false;
    throw error;
  }
}

/** A bucket of the bus, created when it is absent, also after a wipe. */
export function openBucket(link: Link, name: string): KeyValue {
  let bound: { readonly session: Session; readonly kv: KV } | undefined;

  /** Opens the bucket, and creates it when it is absent. */
  async function make(session: Session): Promise<KV> {
    const there = await identify(session, name);
    const kv =
      there === undefined
        ? await link.make(`bucket ${name}`, session, async () => makeBucket(session, name))
        : await session.kvm.open(name, { allow_direct: there.allowsDirect });
    bound = { session, kv };
    return kv;
  }

  async function bind(session: Session): Promise<KV> {
    return bound?.session === session ? bound.kv : make(session);
  }

  async function call<T>(
    what: string,
    isRepeatable: boolean,
    use: (kv: KV, session: Session) => Promise<T>,
    whenAbsent?: T,
  ): Promise<T> {
    return retryCall(link, { what: `${what} of ${name}`, isRepeatable }, async (session) => {
      try {
        return await use(await bind(session), session);
      } catch (error) {
        if (error instanceof NotMade && whenAbsent !== undefined) return whenAbsent;
        // The bucket may be gone: the next try creates it again.
        bound = undefined;
        throw error;
      }
    });
  }

  return {
    async get(key) {
      checkKey(key);
      // A bucket that does not exist has no keys.
      const found = await call(`the key ${key}`, true, async (kv) => kv.get(key), null);
      if (found === null || found.operation !== "PUT") return undefined;
      return { key, value: found.string(), revision: found.revision } satisfies Entry;
    },
    async put(key, value, expected) {
      checkKey(key);
      checkSize(`the value of ${key}`, value);
      if (expected !== undefined) {
        return call(`the new value of ${key}`, false, async (kv) => putExpected(kv, key, value, expected));
      }
      await call(`the new value of ${key}`, true, async (kv) => kv.put(key, value));
      return true;
    },
    async delete(key) {
      checkKey(key);
      await call(`the end of ${key}`, true, async (kv) => kv.delete(key));
    },
    async sweep(pattern, before) {
      const filter = `$KV.${name}.${pattern}`;
      // A time limit per key needs NATS 2.11, and the marker of a deleted key is never removed by itself.
      const purge = async (session: Session) => session.jsm.streams.purge(`KV_${name}`, { filter, seq: before });
      await call(`the sweep of ${pattern}`, true, async (_, session) => purge(session));
    },
    async keys(pattern) {
      const prefix = `$KV.${name}.`;
      const ask = async (session: Session) =>
        session.jsm.streams.info(`KV_${name}`, { subjects_filter: prefix + pattern });
      const found = await call(`the names of ${pattern}`, true, async (_, session) => ask(session), null);
      return new Set(Object.keys(found?.state.subjects ?? {}).map((subject) => subject.slice(prefix.length)));
    },
    watch: async (pattern, watcher, signal) => watchBucket({ link, name, make }, pattern, watcher, signal),
  };
}
