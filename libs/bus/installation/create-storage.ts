import { systemClock } from "#libs/runtime";

import { classify } from "../connection/classify.ts";
import { identify } from "../buckets/follow-bucket.ts";
import { makeBucket, refuseRollups } from "../buckets/make-bucket.ts";
import type { Link, Session } from "../connection/link.ts";
import { retryCall } from "../connection/retry-call.ts";
import { bucketNames, type BusNames } from "../names.ts";
import { ensureStream } from "../stream/stream.ts";

const clock = systemClock();

/** Real ms between two checks: after a wipe they exist again within this time, also while nothing is written. */
const checkEveryMs = 5_000;

async function makeAbsent(link: Link, session: Session, names: BusNames): Promise<void> {
  await ensureStream(link, session, names);
  const open: string[] = [];
  for (const name of bucketNames.map((each) => names.bucket(each))) {
    const there = await identify(session, name);
    if (there === undefined) await link.make(`bucket ${name}`, session, async () => makeBucket(session, name));
    else if (there.allowsRollup) open.push(name);
  }
  // After all are created, because a login without this right can still create them. It is logged.
  const close = async (now: Session) => Promise.all(open.map(async (name) => refuseRollups(now, name)));
  await retryCall(link, { what: "the ban of rollups", isRepeatable: true }, close);
}

/**
 * Creates the stream and the buckets where they are absent, and fixes those of earlier versions, until the link is closed. One
 * login of an installation does this: others need no right to create.
 */
export function keepStorageCreated(link: Link, names: BusNames): void {
  const createAlways = async (): Promise<void> => {
    while (!link.closing.aborted) {
      const session = await link.open(Number.MAX_SAFE_INTEGER, link.closing);
      await makeAbsent(link, session, names).catch((error: unknown) => {
        if (classify(error) === "refused")
          link.reportFault(`a bucket or the stream could not be made: ${String(error)}`);
      });
      await clock.sleepReal(checkEveryMs, link.closing);
    }
  };
  // Ends when the link is closed.
  createAlways().catch(() => undefined);
}
