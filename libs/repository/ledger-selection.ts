import { GitUnavailable, type RolloutsRepository } from "#libs/git";
import { type KnownLedger, type Ledger, LedgerUnreadable, parseKnownLedger, printKnownLedger } from "#libs/ledger";
import type { LedgerDoubt, LedgerState } from "#libs/plan";

/** The ledger that decisions may use, and why it is not the newest commit of the branch. */
export interface LedgerInUse {
  /** Undefined where no ledger was ever recorded, or none is known without a doubt. */
  readonly state: LedgerState | undefined;
  readonly doubt?: LedgerDoubt;
}

/**
 * Decides which ledger commit is used. Each process remembers the newest one that it accepted, also in its clone. The branch
 * only grows: a head that does not contain the remembered commit was set back, and one that cannot be read says nothing. In
 * both cases the remembered one is used.
 */
export interface LedgerSelection {
  /** Judges the head of the branch (undefined: there is no branch). Remembers nothing yet. */
  judge(found: string | undefined): Promise<LedgerInUse>;
  /** Falls back to the remembered ledger, because this commit cannot be used for a reason that only its reader saw. */
  refuse(found: string, error: unknown): Promise<LedgerInUse>;
  /** Remembers a ledger that decisions use from now on. */
  accept(state: LedgerState): Promise<void>;
}

const noteName = "ledger";

function describeFault(commit: string, error: unknown): LedgerDoubt {
  if (error instanceof LedgerUnreadable) {
    const { file, field, why, isOtherVersion } = error;
    const more = isOtherVersion ? { isOtherVersion } : {};
    return { kind: "unreadable", commit, file, why, ...more, ...(field === undefined ? {} : { field }) };
  }
  const why = error instanceof Error ? error.message : String(error);
  return { kind: "unreadable", commit, why };
}

/** Who reads the ledger, and what else makes it doubtful. */
export interface Reader {
  /** A ledger of another installation is not used; absent: any is. */
  readonly installation?: string;
  /** A doubt that does not follow from the branch; absent: there is none. */
  readonly findDoubt?: () => LedgerDoubt | undefined;
}

export function createLedgerSelection(
  repository: Pick<RolloutsRepository, "contains" | "read" | "readChanges" | "readNote" | "writeNote">,
  ledger: Pick<Ledger, "load">,
  { installation }: Pick<Reader, "installation"> = {},
): LedgerSelection {
  let known: KnownLedger | undefined;
  let isRecalled = false;
  let noted: string | undefined;

  function isOther({ baseline }: LedgerState): boolean {
    return installation !== undefined && baseline.installation !== installation;
  }

  async function recallKnown(): Promise<KnownLedger | undefined> {
    if (isRecalled) return known;
    const note = parseKnownLedger(await repository.readNote(noteName));
    // Another call may have accepted a newer one meanwhile.
    known ??= note;
    noted = note?.head;
    isRecalled = true;
    return known;
  }

  /** Uses the remembered ledger. A new clone may lack its objects; then no ledger is known. */
  async function fallBack(doubt: LedgerDoubt): Promise<LedgerInUse> {
    const last = await recallKnown();
    if (last === undefined) return { state: undefined, doubt };
    try {
      const state = await ledger.load(last.head);
      // The clone served another installation before.
      return isOther(state) ? { state: undefined, doubt } : { state, doubt };
    } catch (error) {
      if (error instanceof GitUnavailable) throw error;
      return { state: undefined, doubt };
    }
  }

  /** Whether `found` does not contain the remembered commit. */
  async function findSetBack(found: string, last: KnownLedger): Promise<LedgerDoubt | undefined> {
    const isGrown = found === last.head || (await repository.contains(found, last.head));
    return isGrown ? undefined : { kind: "setBack", known: last.head, found };
  }

  /** What is wrong with a readable ledger: another installation's, or fewer transitions than remembered. */
  function findWrong(state: LedgerState, last: KnownLedger | undefined): LedgerDoubt | undefined {
    const { head, sequence, baseline } = state;
    if (isOther(state)) return { kind: "otherInstallation", commit: head, installation: baseline.installation };
    if (last === undefined || sequence >= last.sequence) return undefined;
    return { kind: "setBack", known: last.head, found: head, isCountedBack: true };
  }

  async function judge(found: string | undefined): Promise<LedgerInUse> {
    const last = await recallKnown();
    if (found === undefined)
      return last === undefined ? { state: undefined } : fallBack({ kind: "setBack", known: last.head });
    const setBack = last === undefined ? undefined : await findSetBack(found, last);
    if (setBack !== undefined) return fallBack(setBack);
    let state: LedgerState;
    try {
      state = await ledger.load(found);
    } catch (error) {
      return refuse(found, error);
    }
    const wrong = findWrong(state, last);
    return wrong === undefined ? { state } : fallBack(wrong);
  }

  async function refuse(found: string, error: unknown): Promise<LedgerInUse> {
    if (error instanceof GitUnavailable) throw error;
    return fallBack(describeFault(found, error));
  }

  return {
    judge,
    refuse,
    async accept({ head, sequence }) {
      known = { head, sequence };
      if (noted === head) return;
      await repository.writeNote(noteName, printKnownLedger(known));
      noted = head;
    },
  };
}
