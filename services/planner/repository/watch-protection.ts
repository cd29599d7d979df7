import type { RolloutsRepository } from "#libs/git";
import type { LedgerDoubt } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";
import { judgeLedgerRules, type LedgerProtection, type Scm } from "#libs/scm";

/** How long an answer counts before it is asked for again, real ms: "protected", and any other. */
const askEveryMs = 3_600_000;
const askAgainMs = 60_000;
/** How long the first reconcile waits for an answer, real ms. */
const firstWaitMs = 2_000;

const noteName = "ledger-protected";

export interface ProtectionParts {
  readonly scm: Pick<Scm, "ledgerRules">;
  readonly repository: Pick<RolloutsRepository, "readNote" | "writeNote">;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
  /** Called when the answer differs from the last one. */
  readonly onChange: () => void;
}

/** Whether the SCM lets only meshroll push to branch `meshroll/ledger`: the ledger's one defence (ADR 64). */
export interface ProtectionWatch {
  /** Why the ledger is not used, by the last answer; undefined when that is "protected". */
  findDoubt(): LedgerDoubt | undefined;
  /** Resolves once an answer is known, also one that an earlier process noted, or after a limit. Never rejects. */
  begin(): Promise<void>;
}

function toDoubt(protection: LedgerProtection | undefined): LedgerDoubt | undefined {
  if (protection === undefined) return { kind: "unprotected", because: "unanswered", allows: [] };
  if (protection.kind === "protected") return undefined;
  const allows = protection.kind === "untold" ? [] : protection.allows;
  return { kind: "unprotected", because: protection.kind, allows };
}

/**
 * Asks the SCM at the start and each hour, until the signal aborts. While the SCM does not answer, the last answer counts.
 * "protected" is noted in the clone, so a planner can start while the SCM is down.
 */
export function watchProtection(parts: ProtectionParts, signal: AbortSignal): ProtectionWatch {
  const { scm, repository, clock, log } = parts;
  let last: LedgerProtection | undefined;

  async function recall(): Promise<void> {
    try {
      if ((await repository.readNote(noteName)) === "yes") last ??= { kind: "protected" };
    } catch (error) {
      log.warn({ error }, "whether the ledger was protected cannot be read from the clone");
    }
  }

  async function note(found: LedgerProtection): Promise<void> {
    const isProtected = found.kind === "protected";
    if (isProtected === (last?.kind === "protected")) return;
    await repository.writeNote(noteName, isProtected ? "yes" : "no");
  }

  /** Returns whether the SCM says that the branch is protected; false also when it does not answer. */
  async function ask(): Promise<boolean> {
    try {
      const found = judgeLedgerRules(await scm.ledgerRules());
      const before = last;
      await note(found).catch((error: unknown) =>
        log.warn({ error }, "whether the ledger is protected cannot be noted for the next process"),
      );
      last = found;
      if (JSON.stringify(before) !== JSON.stringify(found)) parts.onChange();
      return found.kind === "protected";
    } catch (error) {
      log.warn({ error }, "the SCM does not say whether the ledger is protected; its last answer counts");
      return false;
    }
  }

  async function follow(first: Promise<boolean>): Promise<void> {
    let isProtected = await first;
    while (!signal.aborted) {
      await clock.sleepReal(isProtected ? askEveryMs : askAgainMs, signal).catch(() => undefined);
      if (!signal.aborted) isProtected = await ask();
    }
  }

  return {
    findDoubt: () => toDoubt(last),
    async begin() {
      await recall();
      const first = ask();
      void follow(first);
      if (last !== undefined) return;
      const late = new AbortController();
      await Promise.race([first, clock.sleepReal(firstWaitMs, late.signal).catch(() => undefined)]);
      late.abort();
    },
  };
}
