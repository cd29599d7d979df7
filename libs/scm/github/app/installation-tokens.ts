import { noteExpiringSecret, type TokenSource } from "#libs/runtime";

import { type AppPlace, createAppCalls } from "./app-calls.ts";
import { narrowRights, type Rights } from "./rights.ts";

/** Which installation, narrowed to one repository and these rights. */
export interface TokenSettings extends AppPlace {
  readonly rights: Rights;
  /** Ms of a clock that never goes back; default: this machine's. */
  readonly monotonic?: () => number;
}

interface Held {
  readonly token: string;
  readonly madeAt: number;
  readonly renewAt: number;
  readonly endsAt: number;
}

/** A token is renewed after three quarters of its life: GitHub may then be down for 15 minutes of an hour. */
const renewedAfter = 0.75;
/** The last second is not used: a request takes time to arrive. */
const leftOverMs = 1_000;
/** Wait after a refusal: every loop of a process asks, and only a person can change the answer. */
const patienceMs = 5_000;
/** GitHub needs a moment until all its servers accept a new token. */
const youngMs = 5_000;

/**
 * Tokens that live an hour: reused, renewed before they end, and made again when GitHub refuses one. Sends nothing before the
 * first.
 */
export function createInstallationTokens(settings: TokenSettings): TokenSource {
  const monotonic = settings.monotonic ?? (() => performance.now());
  const calls = createAppCalls(settings);
  let held: Held | undefined;
  let making: Promise<Held> | undefined;
  let failed: { readonly error: unknown; readonly until: number } | undefined;

  async function make(): Promise<Held> {
    const { id, permissions } = await calls.findInstallation();
    const askedAt = monotonic();
    const { token, livesMs } = await calls.makeToken(id, narrowRights(settings.rights, permissions));
    noteExpiringSecret(token);
    const endsAt = askedAt + livesMs - leftOverMs;
    return { token, madeAt: monotonic(), renewAt: askedAt + livesMs * renewedAfter, endsAt };
  }

  async function renew(): Promise<Held> {
    if (failed !== undefined && monotonic() < failed.until) throw failed.error;
    making ??= make().finally(() => (making = undefined));
    try {
      held = await making;
      failed = undefined;
      return held;
    } catch (error) {
      failed = { error, until: monotonic() + patienceMs };
      throw error;
    }
  }

  return {
    async give() {
      if (held !== undefined && monotonic() < held.renewAt) return held.token;
      try {
        return (await renew()).token;
      } catch (error) {
        // GitHub cannot make one now: the old one works until it ends.
        if (held !== undefined && monotonic() < held.endsAt) return held.token;
        throw error;
      }
    },
    drop(token) {
      if (held?.token !== token) return;
      // All servers may not know a token made a moment ago, and a newer one even less.
      if (monotonic() - held.madeAt >= youngMs) held = undefined;
    },
  };
}
