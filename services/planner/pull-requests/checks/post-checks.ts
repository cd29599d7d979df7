import type { Check, Scm, PostedCheck } from "#libs/scm";
import { type CheckVerdict, printCheck, printLastCheck } from "#libs/wording";

/** Writes that one head may cost (rules 10.3). */
export const mostWrites = 8;

/** The checks of the heads that are open, as this process knows them to stand. */
export interface CheckPoster {
  /**
   * Posts what differs from what stands, in at most so many writes of this head. What stands is read back each time: one
   * that another account posted or changed is replaced, which is no part of those writes.
   */
  post(headSha: string, verdicts: Readonly<Record<Check["name"], CheckVerdict>>, most?: number): Promise<PostedChecks>;
  /** What this process wrote for a head so far. */
  count(headSha: string): number;
  /** Forgets heads that no open pull request has any more. */
  keep(heads: ReadonlySet<string>): void;
}

export interface PostedChecks {
  /** GitHub shows the states that were wanted. */
  readonly isShown: boolean;
  /** Logins that posted or changed a check of ours on this head, as long as it is open. */
  readonly intruders: readonly string[];
  /** Those of them whose check stays as it is after this write: a token without check runs cannot replace one. */
  readonly remaining: readonly string[];
}

interface Posted {
  readonly state: Map<Check["name"], Check>;
  readonly intruders: Set<string>;
  writes: number;
}

/** A commit status has no neutral: it shows pending. */
function showsState({ state }: Check): Check["state"] {
  return state === "neutral" ? "pending" : state;
}

/** Who else stands where ours should. */
function findForeign(found: readonly PostedCheck[], name: Check["name"]): string | undefined {
  return found.find((each) => each.name === name && !each.own)?.by;
}

/** By our own login, and not what this process posted last: another planner, or who has its token, wrote since. */
function findChanged(found: readonly PostedCheck[], posted: Check | undefined): PostedCheck | undefined {
  if (posted === undefined) return undefined;
  const here = found.filter(({ name, own }) => own && name === posted.name);
  return here.find(({ state }) => state !== posted.state && state !== showsState(posted));
}

const order: readonly Check["name"][] = ["meshroll/plan", "meshroll/approvals"];

/** Ours, of each name one: a check run says more than the status that follows it. */
function listOwn(found: readonly PostedCheck[]): readonly Check[] {
  return order.flatMap((name) => {
    const first = found.find((each) => each.own && each.name === name);
    if (first === undefined) return [];
    const { form: _, by: __, own: ___, ...check } = first;
    return [check];
  });
}

/** A new address of the page is no news: checks that stand keep the one that they have. */
function isSame(a: Check | undefined, b: Check): boolean {
  return a?.state === b.state && a.title === b.title && a.summary === b.summary;
}

/** The last write turns a check red: a head that changes its mind without end must not end up green. */
function makeLast(check: Check): Check {
  return { ...check, state: "failure", ...printLastCheck(check) };
}

/** What to write for what is wanted; undefined when it stands, or when this head has had its share. */
function chooseWrite({ state, writes }: Posted, wanted: Check, most: number): Check | undefined {
  const before = state.get(wanted.name);
  if (isSame(before, wanted)) return undefined;
  // Half of them may go into figures that moved on while red stayed red and green green.
  if (before?.state === wanted.state) return writes < Math.floor(most / 2) ? wanted : undefined;
  if (writes < most - 1) return wanted;
  // Green that is not wanted does not stay, no matter who wrote it and how often.
  return writes < most || before?.state === "success" ? makeLast(wanted) : undefined;
}

/**
 * Remembers what stands; a process that starts reads it from GitHub first, and writes nothing that stands already. `detailsUrl`:
 * where a click on a check leads.
 */
export function createCheckPoster(scm: Scm, detailsUrl?: string): CheckPoster {
  const known = new Map<string, Posted>();
  const leadsTo = detailsUrl === undefined ? {} : { detailsUrl };
  const makeCheck = (name: Check["name"], headSha: string, verdict: CheckVerdict): Check => {
    return { name, headSha, ...printCheck(verdict), ...leadsTo };
  };

  function find(headSha: string, found: readonly PostedCheck[]): Posted {
    const before = known.get(headSha);
    if (before !== undefined) return before;
    const state = new Map(listOwn(found).map((check) => [check.name, check]));
    // What is there cost a write each, no matter who made it: a process that starts does not count from zero.
    const posted = { state, intruders: new Set<string>(), writes: state.size };
    known.set(headSha, posted);
    return posted;
  }

  async function put(posted: Posted, check: Check): Promise<void> {
    await scm.postCheck(check);
    posted.state.set(check.name, check);
  }

  /**
   * Another planner of ours has a share in the head, too: what it wrote stands, and counts here. If each put back what it knows,
   * uncounted, two of which one has had its share would write without end.
   */
  function takeOver(posted: Posted, found: readonly PostedCheck[]): void {
    const changed = order.filter((name) => findChanged(found, posted.state.get(name)) !== undefined);
    for (const check of listOwn(found).filter(({ name }) => changed.includes(name))) {
      posted.state.set(check.name, check);
      posted.writes += 1;
    }
  }

  /** Whose check of ours it was that is not what is wanted. */
  function noteChanged(posted: Posted, found: readonly PostedCheck[], wanted: Check): void {
    const changed = findChanged(found, posted.state.get(wanted.name));
    if (changed !== undefined && changed.state !== showsState(wanted) && changed.state !== wanted.state)
      posted.intruders.add(changed.by);
  }

  return {
    count: (headSha) => known.get(headSha)?.writes ?? 0,
    async post(headSha, verdicts, most = mostWrites) {
      const found = await scm.findChecks(headSha);
      const posted = find(headSha, found);
      for (const name of order) noteChanged(posted, found, makeCheck(name, headSha, verdicts[name]));
      takeOver(posted, found);
      let isForeign = false;
      for (const name of order) {
        const intruder = findForeign(found, name);
        if (intruder !== undefined) {
          posted.intruders.add(intruder);
          isForeign = true;
        }
        const check = chooseWrite(posted, makeCheck(name, headSha, verdicts[name]), most);
        const ours = posted.state.get(name);
        // Counted before it is sent: a write whose answer is lost was one.
        if (check !== undefined) posted.writes += 1;
        if (check !== undefined) await put(posted, check);
        else if (intruder !== undefined && ours !== undefined) await put(posted, ours);
      }
      const isShown = order.every((name) => posted.state.get(name)?.state === verdicts[name].state);
      // Told as GitHub has it, not as it was meant.
      const left = isForeign ? (await scm.findChecks(headSha)).filter(({ own }) => !own) : [];
      const remaining = [...new Set(left.map(({ by }) => by))].toSorted();
      return { isShown, intruders: [...posted.intruders].toSorted(), remaining };
    },
    keep(heads) {
      for (const sha of known.keys()) if (!heads.has(sha)) known.delete(sha);
    },
  };
}
