import type { Clock } from "#libs/runtime";
import type { Check, Scm, PostedCheck } from "#libs/scm";
import { type CheckVerdict, printCheck, printLastCheck } from "#libs/wording";

/** Most writes for one head (rules 10.3). */
export const mostWrites = 8;

/** The checks of open heads, as this process knows them. */
export interface CheckPoster {
  /**
   * Posts the checks that differ from what is there, in at most `most` writes for this head. Checks are read back each time:
   * one that another account posted or changed is replaced, which does not count as one of those writes.
   */
  post(headSha: string, verdicts: Readonly<Record<Check["name"], CheckVerdict>>, most?: number): Promise<PostedChecks>;
  /** How many writes this process counts for a head. */
  count(headSha: string): number;
  /** Forgets heads without an open pull request. */
  retain(heads: ReadonlySet<string>): void;
}

export interface PostedChecks {
  /** The SCM shows the states that were wanted. */
  readonly isShown: boolean;
  /** Logins that have posted or changed one of our checks on this head. */
  readonly intruders: readonly string[];
  /** Those of them whose check is still there: a token that may not write check runs cannot replace one. */
  readonly remaining: readonly string[];
}

interface Posted {
  readonly checks: Map<Check["name"], Check>;
  readonly intruders: Set<string>;
  writes: number;
  /** Real monotonic ms of our last write. */
  wroteAt: number;
}

/** As the SCM shows it: a commit status cannot be neutral, and is shown as pending. */
function showsState({ state }: Check): Check["state"] {
  return state === "neutral" ? "pending" : state;
}

/** The login that posted a check under our name. */
function findForeign(found: readonly PostedCheck[], name: Check["name"]): string | undefined {
  return found.find((each) => each.name === name && !each.own)?.by;
}

/** A check by our own login that this process did not post: by the planner that led before, or by someone who has the token. */
function findChanged(found: readonly PostedCheck[], posted: Check | undefined): PostedCheck | undefined {
  if (posted === undefined) return undefined;
  const here = found.filter(({ name, own }) => own && name === posted.name);
  return here.find(({ state }) => state !== posted.state && state !== showsState(posted));
}

const checkNames: readonly Check["name"][] = ["meshroll/plan", "meshroll/approvals"];

/** Our checks, one per name: a check run is listed before a commit status, and says more. */
function listOwn(found: readonly PostedCheck[]): readonly Check[] {
  return checkNames.flatMap((name) => {
    const first = found.find((each) => each.own && each.name === name);
    if (first === undefined) return [];
    const { form: _, by: __, own: ___, ...check } = first;
    return [check];
  });
}

/** The link does not count: a check that is there keeps its old one. */
function isSame(a: Check | undefined, b: Check): boolean {
  return a?.state === b.state && a.title === b.title && a.summary === b.summary;
}

/** How long after our own write GitHub may still show what was there before it, real ms. */
const settleMs = 10_000;

/** The last write makes a check red, so that a head whose verdict keeps changing does not end up green. */
function makeLast(check: Check): Check {
  return { ...check, state: "failure", ...printLastCheck(check) };
}

/** The check to write; undefined when it is there already, or when the head's writes are used up. */
function chooseWrite({ checks, writes }: Posted, wanted: Check, most: number): Check | undefined {
  const before = checks.get(wanted.name);
  if (isSame(before, wanted)) return undefined;
  // The state is the same, only its text differs: at most half of the writes may go into that.
  if (before?.state === wanted.state) return writes < Math.floor(most / 2) ? wanted : undefined;
  if (writes < most - 1) return wanted;
  // A green check that is wrong by now is always replaced by a red one, even when the writes are used up.
  return writes < most || before?.state === "success" ? makeLast(wanted) : undefined;
}

/**
 * A process that starts reads the checks from the SCM, and writes nothing that is there already. `detailsUrl`: where a check
 * links to.
 */
export function createCheckPoster(scm: Scm, clock: Pick<Clock, "monotonic">, detailsUrl?: string): CheckPoster {
  const known = new Map<string, Posted>();
  const leadsTo = detailsUrl === undefined ? {} : { detailsUrl };
  const makeCheck = (name: Check["name"], headSha: string, verdict: CheckVerdict): Check => {
    return { name, headSha, ...printCheck(verdict), ...leadsTo };
  };

  function find(headSha: string, found: readonly PostedCheck[]): Posted {
    const before = known.get(headSha);
    if (before !== undefined) return before;
    const checks = new Map(listOwn(found).map((check) => [check.name, check]));
    // Each check that is there was a write, so a new process does not start counting at zero.
    const posted = { checks, intruders: new Set<string>(), writes: checks.size, wroteAt: -Infinity };
    known.set(headSha, posted);
    return posted;
  }

  async function put(posted: Posted, check: Check): Promise<void> {
    // Also where the answer is lost: the SCM may have made the write.
    posted.wroteAt = clock.monotonic();
    await scm.postCheck(check);
    posted.checks.set(check.name, check);
  }

  /**
   * A check by another planner is adopted and counted: for the moment in which two believe to lead, or while another process
   * has our token, the two would else write in turns without end.
   */
  function takeOver(posted: Posted, found: readonly PostedCheck[]): void {
    const changed = checkNames.filter((name) => findChanged(found, posted.checks.get(name)) !== undefined);
    for (const check of listOwn(found).filter(({ name }) => changed.includes(name))) {
      posted.checks.set(check.name, check);
      posted.writes += 1;
    }
  }

  /**
   * Looks for changes by others, once our last write has settled: our own check from before it would look like another planner's,
   * or like an intruder's with our token.
   */
  function compare(
    posted: Posted,
    found: readonly PostedCheck[],
    headSha: string,
    verdicts: Readonly<Record<Check["name"], CheckVerdict>>,
  ): void {
    if (clock.monotonic() - posted.wroteAt < settleMs) return;
    for (const name of checkNames) noteChanged(posted, found, makeCheck(name, headSha, verdicts[name]));
    takeOver(posted, found);
  }

  /** Notes the login that changed a check of ours to a state that is not wanted. */
  function noteChanged(posted: Posted, found: readonly PostedCheck[], wanted: Check): void {
    const changed = findChanged(found, posted.checks.get(wanted.name));
    if (changed !== undefined && changed.state !== showsState(wanted) && changed.state !== wanted.state)
      posted.intruders.add(changed.by);
  }

  return {
    count: (headSha) => known.get(headSha)?.writes ?? 0,
    async post(headSha, verdicts, most = mostWrites) {
      const found = await scm.findChecks(headSha);
      const posted = find(headSha, found);
      compare(posted, found, headSha, verdicts);
      let isForeign = false;
      for (const name of checkNames) {
        const intruder = findForeign(found, name);
        if (intruder !== undefined) {
          posted.intruders.add(intruder);
          isForeign = true;
        }
        const check = chooseWrite(posted, makeCheck(name, headSha, verdicts[name]), most);
        const ours = posted.checks.get(name);
        // Counted before it is sent: the SCM may have made the write though its answer was lost.
        if (check !== undefined) posted.writes += 1;
        if (check !== undefined) await put(posted, check);
        else if (intruder !== undefined && ours !== undefined) await put(posted, ours);
      }
      const isShown = checkNames.every((name) => posted.checks.get(name)?.state === verdicts[name].state);
      // Read again: the SCM decides whether a check was replaced.
      const left = isForeign ? (await scm.findChecks(headSha)).filter(({ own }) => !own) : [];
      const remaining = [...new Set(left.map(({ by }) => by))].toSorted();
      return { isShown, intruders: [...posted.intruders].toSorted(), remaining };
    },
    retain(heads) {
      for (const sha of known.keys()) if (!heads.has(sha)) known.delete(sha);
    },
  };
}
