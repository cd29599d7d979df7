import { systemClock } from "#libs/runtime";

import { classify } from "../connection/classify.ts";
import { identify } from "../buckets/follow-bucket.ts";
import type { Link, Session } from "../connection/link.ts";
import { bucketNames, type BusNames } from "../names.ts";
import { ensureStream } from "../stream/stream.ts";

const clock = systemClock();

/** Real ms between two looks: what was wiped is there again so soon, though nothing is to be written. */
const reconcileEveryMs = 5_000;

async function makeAbsent(link: Link, session: Session, names: BusNames): Promise<void> {
  await ensureStream(link, session, names);
  for (const name of bucketNames.map((each) => names.bucket(each))) {
    const isMigrated = (await identify(session, name)) !== undefined;
    if (!isMigrated) await link.make(`bucket ${name}`, session, async () => session.kvm.create(name, { history: 1 }));
  }
}

/**
 * Makes the stream and the buckets where they are absent, until the link is closed. One login of an installation does that:
 * others may be allowed to use them and not to make them.
 */
export function keepPlaces(link: Link, names: BusNames): void {
  const keep = async (): Promise<void> => {
    while (!link.closing.aborted) {
      const session = await link.open(Number.MAX_SAFE_INTEGER, link.closing);
      await makeAbsent(link, session, names).catch((error: unknown) => {
        if (classify(error) === "refused") link.tell(`a bucket or the stream could not be made: ${String(error)}`);
      });
      await clock.sleepReal(reconcileEveryMs, link.closing);
    }
  };
  // Ends by the link's own end.
  keep().catch(() => undefined);
}
