import { lookUp } from "#libs/input";
import type { LedgerEntry, LedgerState, RunRecord, StopRecord } from "#libs/plan";
import { describe, expect, test } from "vitest";

import type { LedgerFixture } from "./fixture.ts";
import { index, list, makeRun, makeState, makeStop, newest, oldest, runs, stops } from "./records.ts";
import { openLedger } from "../branch/git-branch.ts";
import type { Ledger, LedgerBranch } from "../port.ts";

function makeEntry(sentence: string, next: LedgerState): LedgerEntry {
  return { sentence, actor: "ana", cause: "Test", next: { ...next, sequence: next.sequence + 1 } };
}

/** The facts of an archived run and its stop, which the live part keeps. */
function toFacts(run: RunRecord, stop: StopRecord): readonly [RunRecord, StopRecord] {
  const { retried: _, expected: __, bake: ___, gates: ____, measured: ______, outcome: _____, ...facts } = run;
  const { failures: _______, ...rest } = stop;
  return [
    { ...facts, clusters: {}, counts: { migrated: 7, skipped: 1 }, archived: "facts" },
    { ...rest, why: "", resume: { at: run.startedAt, who: "ben", why: "" }, archived: "facts" },
  ];
}

const [oldestFacts, stopFacts] = toFacts(oldest, stops[0] as StopRecord);
const [secondFacts, secondStopFacts] = toFacts(runs[1] as RunRecord, stops[1] as StopRecord);

async function record(
  ledger: Ledger,
  sentence: string,
  next: LedgerState,
  previous?: LedgerState,
): Promise<LedgerState> {
  const outcome = await ledger.record(makeEntry(sentence, next), previous);
  if (outcome.kind !== "recorded") throw new Error(outcome.why);
  return outcome.state;
}

/** Three ended runs; the two older ones are archived. */
async function archiveTwo(
  fixture: LedgerFixture,
): Promise<{ ledger: Ledger; before: LedgerState; state: LedgerState }> {
  const ledger = openLedger(await fixture.open());
  const whole = makeState({ runs: index(runs), stops: index(stops), plans: { [list.head]: list } });
  const before = await record(ledger, "baseline", whole);
  return { ledger, before, state: await record(ledger, "archive", archived(before), before) };
}

function archived(state: LedgerState): LedgerState {
  return {
    ...state,
    runs: { ...state.runs, ...index([oldestFacts, secondFacts]) },
    stops: { ...state.stops, ...index([stopFacts, secondStopFacts]) },
    plans: {},
  };
}

type Draft = Parameters<LedgerBranch["commitAndPush"]>[0];

/** The branch, with a list of its pushes. */
function spy(branch: LedgerBranch): LedgerBranch & { readonly drafts: readonly Draft[] } {
  const drafts: Draft[] = [];
  return {
    ...branch,
    drafts,
    commitAndPush: async (draft) => {
      drafts.push(draft);
      return branch.commitAndPush(draft);
    },
  };
}

/** How every ledger branch archives what is over; run against the fake and against git. */
export function describeArchive(name: string, make: () => Promise<LedgerFixture>): void {
  describe(`the archive of a ledger on ${name}`, () => {
    test("8.1 an archived run is read as the facts that decisions need, and whole on request", async () => {
      const fixture = await make();
      const { state } = await archiveTwo(fixture);
      const other = openLedger(await fixture.open());

      const read = await other.load(state.head);
      const recalled = await other.recall(read, [oldest.id, newest.id, "ffffffffffff"]);

      expect(read).toEqual(state);
      expect(read.runs).toEqual(index([newest, oldestFacts, secondFacts]));
      expect(read.stops).toEqual(index([stops[2] as StopRecord, stopFacts, secondStopFacts]));
      expect(recalled.runs).toEqual(index([newest, { ...oldest, archived: "whole" }, secondFacts]));
      expect(lookUp(recalled.stops, stopFacts.id)).toEqual({ ...stops[0], archived: "whole" });
      expect(lookUp(recalled.stops, secondStopFacts.id)).toEqual(secondStopFacts);
    });

    test("8.1 a continued run leaves the archive, and archiving it again loses nothing", async () => {
      const fixture = await make();
      const { ledger, state } = await archiveTwo(fixture);
      const recalled = await ledger.recall(state, [oldest.id]);
      const open: RunRecord = { ...oldest, state: "open" };
      const back = {
        ...recalled,
        runs: { ...recalled.runs, [oldest.id]: open },
        stops: { ...recalled.stops, ...index(stops.slice(0, 1)) },
      };
      const reopened = await record(ledger, "retry", back, recalled);

      const read = await openLedger(await fixture.open()).load(reopened.head);
      expect([
        lookUp(read.runs, oldest.id),
        lookUp(read.stops, stopFacts.id),
        lookUp(read.runs, secondFacts.id),
      ]).toEqual([open, stops[0], secondFacts]);

      const ended = await record(
        ledger,
        "end",
        { ...reopened, runs: { ...reopened.runs, [oldest.id]: oldest } },
        reopened,
      );
      const again = await record(ledger, "archive", archived(ended), ended);
      const other = openLedger(await fixture.open());
      const last = await other.recall(await other.load(again.head), [oldest.id, secondFacts.id]);
      expect(last.runs).toEqual(
        index([newest, { ...oldest, archived: "whole" }, { ...runs[1], archived: "whole" } as RunRecord]),
      );
    });

    test("8.2 archiving is a transition like others: the second of two is refused, and nothing is lost", async () => {
      const fixture = await make();
      const { ledger, before, state } = await archiveTwo(fixture);
      const late = openLedger(await fixture.open());

      const outcome = await late.record(makeEntry("late", { ...before, requests: {} }), before);
      const twice = await late.record(makeEntry("again", archived(before)), before);
      const read = await ledger.recall(await ledger.load(state.head), [oldest.id]);

      expect([outcome.kind, twice.kind]).toEqual(["overtaken", "overtaken"]);
      expect(lookUp(read.runs, oldest.id)).toEqual({ ...oldest, archived: "whole" });
    });

    test("8.2 a planner that dies while it pushes an archive loses nothing: another one repeats it", async () => {
      const fixture = await make();
      const before = await record(
        openLedger(await fixture.open()),
        "baseline",
        makeState({ runs: index(runs), stops: index(stops) }),
      );
      const dying = openLedger({
        ...(await fixture.open()),
        commitAndPush: async () => Promise.reject(new Error("killed")),
      });
      await expect(dying.record(makeEntry("archive", archived(before)), before)).rejects.toThrow("killed");

      const other = openLedger(await fixture.open());
      expect(await other.load(before.head)).toEqual(before);
      const state = await record(other, "archive", archived(before), before);
      const read = await other.recall(await openLedger(await fixture.open()).load(state.head), [oldest.id]);
      expect(lookUp(read.runs, oldest.id)).toEqual({ ...oldest, archived: "whole" });
    });

    test("8.1 only a missing or exchanged record of the archive is unreadable, not the others", async () => {
      const fixture = await make();
      const { state } = await archiveTwo(fixture);
      const branch = await fixture.open();
      const files = await branch.readTree(state.head, ["archive/runs"]);
      const [first, second] = files.map(({ path }) => path) as [string, string];
      const author = { name: "eve", email: "eve@example.com" };
      const pushed = await branch.commitAndPush({
        branch: "meshroll/ledger",
        onto: state.head,
        files: { [first]: null, [second]: files[0]?.text ?? "" },
        message: "x",
        author,
      });
      if (pushed.kind !== "pushed") throw new Error(pushed.why);
      const ledger = openLedger(await fixture.open());

      const read = await ledger.load(pushed.sha);
      const recalled = await ledger.recall(read, [oldest.id, secondFacts.id]);

      expect(read.runs).toEqual(state.runs);
      expect([lookUp(recalled.runs, oldest.id), lookUp(recalled.runs, secondFacts.id)]).toEqual([
        { ...oldestFacts, archived: "unreadable" },
        { ...secondFacts, archived: "unreadable" },
      ]);
    });

    test("8.1 a record that is both live and archived is refused", async () => {
      const fixture = await make();
      const { state } = await archiveTwo(fixture);
      const branch = await fixture.open();
      const twice = { [`runs/${oldest.id}.json`]: JSON.stringify({ version: 1, ...oldest }) };
      const author = { name: "eve", email: "eve@example.com" };
      const draft = { branch: "meshroll/ledger", onto: state.head, files: twice, message: "x", author };
      const pushed = await branch.commitAndPush(draft);
      if (pushed.kind !== "pushed") throw new Error(pushed.why);

      await expect(openLedger(await fixture.open()).load(pushed.sha)).rejects.toThrow(/is not what meshroll writes/);
    });

    test("8.1 a commit writes only what it moves, into folders of a month and files of a day", async () => {
      const fixture = await make();
      const branch = spy(await fixture.open());
      const ledger = openLedger(branch);
      const many = Array.from({ length: 300 }, (_, at) => ({
        ...makeRun(at + 1),
        startedAt: "2026-11-19T12:00:00.000Z",
      }));
      const before = await record(ledger, "baseline", makeState({ runs: index(many), plans: { [list.head]: list } }));
      const moved = many.slice(0, 100).map((run) => toFacts(run, makeStop(run))[0]);
      await record(ledger, "archive", { ...before, runs: { ...before.runs, ...index(moved) }, plans: {} }, before);

      const paths = Object.keys(branch.drafts[1]?.files ?? {});
      const kinds = new Set(paths.map((path) => path.replace(/[0-9a-f]{12}(?=\.json)|[0-9a-f]{40}/u, "ID")));

      expect(paths.length).toBe(204);
      expect([...kinds].toSorted()).toEqual([
        "archive/plans/2026-01/11/ID.tsv",
        "archive/runs/2026-11/19/ID.json",
        "heads",
        "past/runs/2026-11/19.jsonl",
        "plans/ID.tsv",
        "runs/ID.json",
      ]);
    });

    test("8.1 unchanged files of a newer commit are not read again", async () => {
      const fixture = await make();
      const { ledger: writer, state } = await archiveTwo(fixture);
      const branch = await fixture.open();
      const read: string[] = [];
      const reader = openLedger({
        ...branch,
        readTree: async (...args) => {
          const files = await branch.readTree(...args);
          for (const { path, text } of files) if (text !== undefined) read.push(path);
          return files;
        },
      });
      await reader.load(state.head);
      read.length = 0;
      const requests = { a1: { at: newest.startedAt, answer: "nothing to resume" } };
      const next = await record(writer, "answer", { ...state, requests }, state);

      expect(await reader.load(next.head)).toEqual(next);
      expect(read.toSorted()).toEqual(["heads", "requests/a1.json"]);
    });
  });
}
