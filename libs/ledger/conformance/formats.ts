import { lookUp, newestFormat, oldestFormat } from "#libs/input";
import { describe, expect, test } from "vitest";

import type { LedgerFixture } from "./fixture.ts";
import { index, list, makeState, newest, oldest, runs, stops } from "./records.ts";
import { openLedger } from "../branch/git-branch.ts";
import type { LedgerBranch } from "../port.ts";

type Json = Readonly<Record<string, unknown>>;
type Edit = (file: Json) => unknown;

const author = { name: "a newer planner", email: "newer@localhost" };
const everything = ["heads", "baseline", "runs", "stops", "requests", "plans", "past", "archive"];

async function readAll(branch: LedgerBranch, commit: string): Promise<ReadonlyMap<string, string>> {
  const files = await branch.readTree(commit, everything);
  return new Map(files.map(({ path, text = "" }) => [path, text]));
}

/** What another build writes on top: these files, edited. */
async function rewrite(branch: LedgerBranch, commit: string, edits: Readonly<Record<string, Edit>>): Promise<string> {
  const files = await readAll(branch, commit);
  const texts = Object.entries(edits).map(([path, edit]) => {
    const text = files.get(path);
    if (text === undefined) throw new Error(`there is no ${path} in ${[...files.keys()].join(", ")}`);
    const isPlan = path.endsWith(".tsv");
    const isLines = path.endsWith(".jsonl");
    const edited = (json: string): string => JSON.stringify(edit(JSON.parse(json) as Json));
    if (isLines)
      return [
        path,
        text
          .trim()
          .split("\n")
          .map((line) => `${edited(line)}\n`)
          .join(""),
      ];
    const end = text.indexOf("\n");
    return [path, isPlan ? `# ${edited(text.slice(2, end))}${text.slice(end)}` : edited(text)];
  });
  const draft = { branch: "meshroll/ledger", onto: commit, message: "edited", author };
  const pushed = await branch.commitAndPush({ ...draft, files: Object.fromEntries(texts) as Record<string, string> });
  if (pushed.kind === "rejected") throw new Error(pushed.why);
  return pushed.sha;
}

const run = newest;
const live = { ...oldest, state: "open" as const };
const paths = {
  live: `runs/${live.id}.json`,
  run: `runs/${run.id}.json`,
  stop: `stops/${stops[0]?.id ?? ""}.json`,
  request: "requests/v1.json",
  plan: `plans/${list.head}.tsv`,
};

async function begin(fixture: LedgerFixture) {
  const branch = await fixture.open();
  const ledger = openLedger(branch);
  const requests = { v1: { at: oldest.startedAt, answer: "done" } };
  const state = makeState({ runs: index([live, run]), stops: index(stops), requests, plans: { [list.head]: list } });
  const first = await ledger.record({ sentence: "baseline", actor: "ana", cause: "Test", next: state }, undefined);
  if (first.kind !== "recorded") throw new Error(first.why);
  return { branch, state: first.state };
}

const add: Edit = (file) => ({ ...file, later: { of: "a newer build" } });
/** As files of version 1 were: without a version of their own. */
function nameNone(file: Json): Json {
  const { version: _, ...left } = file;
  return left;
}

const later = { later: { of: "a newer build" } };

function addWithin(file: Json): Json {
  const { clusters, gates, outcome } = file as { clusters: Json; gates: Json; outcome: { skipped: readonly Json[] } };
  const [first, ...rest] = outcome.skipped;
  return {
    ...file,
    clusters: { ...clusters, one: { ...(clusters["one"] as Json), ...later } },
    gates: { ...gates, errors: { ...(gates["errors"] as Json), ...later } },
    outcome: { ...outcome, skipped: [{ ...first, ...later }, ...rest] },
  };
}

/** What every ledger branch does with what a build of another version wrote. */
export function describeFormats(name: string, make: () => Promise<LedgerFixture>): void {
  describe(`versions of the ledger on ${name}`, () => {
    test("fields of a newer build are kept by the next write, in every file and however deep", async () => {
      const fixture = await make();
      const { branch, state } = await begin(fixture);
      const edits = {
        heads: add,
        baseline: add,
        [paths.run]: addWithin,
        [paths.stop]: add,
        [paths.request]: add,
        [paths.plan]: add,
      };
      const newer = await rewrite(branch, state.head, edits);
      const ledger = openLedger(await fixture.open());
      const read = await ledger.load(newer);
      const [stop] = stops;
      const next = {
        ...read,
        sequence: 2,
        baseline: { ...read.baseline, by: "ben" },
        runs: { ...read.runs, [run.id]: { ...run, subject: "changed" } },
        stops: { ...read.stops, [stop?.id ?? ""]: { ...stop, why: "changed" } as (typeof stops)[number] },
        requests: { v1: { ...read.requests["v1"], at: oldest.startedAt, answer: "changed" } },
        plans: { [list.head]: { ...list, listedAt: oldest.startedAt } },
      };
      const written = await ledger.record({ sentence: "older", actor: "ana", cause: "Test", next }, read);
      if (written.kind !== "recorded") throw new Error(written.why);

      const files = await readAll(branch, written.state.head);
      const json = (path: string): unknown => JSON.parse(files.get(path) ?? "");
      expect(json("heads")).toMatchObject({ sequence: 2, ...later });
      expect(json("baseline")).toMatchObject({ by: "ben", ...later });
      expect(json(paths.run)).toEqual(addWithin({ version: newestFormat, ...run, subject: "changed" }));
      expect(json(paths.stop)).toMatchObject({ why: "changed", ...later });
      expect(json(paths.request)).toMatchObject({ answer: "changed", ...later });
      expect(files.get(paths.plan)?.split("\n")[0]).toContain(JSON.stringify(later).slice(1, -1));
    });

    test("fields of a newer build go to the archive with their record, and return with it", async () => {
      const fixture = await make();
      const { branch, state } = await begin(fixture);
      const newer = await rewrite(branch, state.head, { [paths.run]: addWithin });
      const ledger = openLedger(await fixture.open());
      const read = await ledger.load(newer);
      const facts = { ...run, clusters: {}, archived: "facts" as const };
      const away = await ledger.record(
        { sentence: "away", actor: "ana", cause: "Test", next: { ...read, runs: { ...read.runs, [run.id]: facts } } },
        read,
      );
      if (away.kind !== "recorded") throw new Error(away.why);
      const recalled = await openLedger(await fixture.open()).recall(away.state, [run.id]);
      const { archived: _, ...whole } = lookUp(recalled.runs, run.id) ?? run;
      const back = await ledger.record(
        {
          sentence: "rollback",
          actor: "ana",
          cause: "Test",
          next: { ...recalled, runs: { ...read.runs, [run.id]: whole } },
        },
        away.state,
      );
      if (back.kind !== "recorded") throw new Error(back.why);

      const text = (await readAll(branch, back.state.head)).get(paths.run) ?? "";
      expect(JSON.parse(text)).toEqual(addWithin({ version: newestFormat, ...run }));
    });

    test("a line of the archive keeps fields of a newer build when another record comes to its file", async () => {
      const fixture = await make();
      const { branch, state } = await begin(fixture);
      const ledger = openLedger(branch);
      const facts = { ...run, clusters: {}, archived: "facts" as const };
      const second = { ...run, id: "bbbbbbbbbbbb", order: 9 };
      const entry = { actor: "ana", cause: "Test" };
      const runsOf = { ...state.runs, [run.id]: facts, [second.id]: second };
      const first = await ledger.record({ ...entry, sentence: "1", next: { ...state, runs: runsOf } }, state);
      if (first.kind !== "recorded") throw new Error(first.why);
      const past = [...(await readAll(branch, first.state.head)).keys()].find((path) => path.startsWith("past/")) ?? "";
      const newer = await rewrite(branch, first.state.head, { [past]: add });
      const other = openLedger(await fixture.open());
      const read = await other.load(newer);
      const both = { ...read.runs, [second.id]: { ...second, clusters: {}, archived: "facts" as const } };
      const last = await other.record({ ...entry, sentence: "2", next: { ...read, runs: both } }, read);
      if (last.kind !== "recorded") throw new Error(last.why);

      const lines = (await readAll(branch, last.state.head)).get(past)?.trim().split("\n") ?? [];
      expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { id: run.id, ...later },
        { id: second.id },
      ]);
    });

    const refused: readonly {
      readonly name: string;
      readonly path: string;
      readonly version: unknown;
      readonly why: string;
    }[] = [
      {
        name: "of a newer version",
        path: "heads",
        version: newestFormat + 1,
        why: `it is of version ${newestFormat + 1}, `,
      },
      {
        name: "of a version before the one before",
        path: "heads",
        version: oldestFormat - 1,
        why: "it names no version",
      },
      {
        name: "with a version that is a text",
        path: "heads",
        version: String(newestFormat),
        why: "it names no version",
      },
      {
        name: "with a version that is half",
        path: "heads",
        version: 1.5,
        why: "it names no version",
      },
      {
        name: "of a newer version in one run alone",
        path: paths.run,
        version: newestFormat + 1,
        why: `${paths.run} in branch meshroll/ledger is of another build: it is of version ${newestFormat + 1}`,
      },
    ];
    test.each(refused)("a ledger $name is not read, and says so: $path", async ({ path, version, why }) => {
      const fixture = await make();
      const { branch, state } = await begin(fixture);
      const other = await rewrite(branch, state.head, { [path]: (file) => ({ ...file, version }) });

      await expect(openLedger(await fixture.open()).load(other)).rejects.toThrow(why);
    });

    test("the version is read before anything else: of a newer ledger no record is judged", async () => {
      const fixture = await make();
      const { branch, state } = await begin(fixture);
      const bad: Edit = () => ({ version: newestFormat + 1, shape: "another" });
      const newer = await rewrite(branch, state.head, {
        heads: bad,
        baseline: bad,
        [paths.run]: bad,
        [paths.request]: bad,
      });

      await expect(openLedger(await fixture.open()).load(newer)).rejects.toThrow(
        `heads in branch meshroll/ledger is of another build: it is of version ${newestFormat + 1}`,
      );
    });

    test("a head that names no version is not read", async () => {
      const fixture = await make();
      const { branch, state } = await begin(fixture);
      const other = await rewrite(branch, state.head, { heads: nameNone });

      await expect(openLedger(await fixture.open()).load(other)).rejects.toThrow(/field version of heads/);
    });

    test("a ledger of the version before is read, written on in it, and then wholly raised by one commit", async () => {
      const fixture = await make();
      const { branch, state } = await begin(fixture);
      const before = nameNone;
      const old = await rewrite(branch, state.head, {
        heads: (file) => ({ ...file, version: oldestFormat }),
        baseline: before,
        [paths.live]: before,
        [paths.run]: before,
        [paths.stop]: before,
        [paths.request]: before,
        [paths.plan]: before,
      });
      const ledger = openLedger(await fixture.open());
      const read = await ledger.load(old);
      expect([read.format, Object.keys(read.runs).length, runs.length]).toEqual([oldestFormat, 2, 3]);
      const facts = { ...run, clusters: {}, archived: "facts" as const };
      const step = { ...read, sequence: 2, runs: { ...read.runs, [run.id]: facts } };
      const on = await ledger.record({ sentence: "on", actor: "ana", cause: "Test", next: step }, read);
      if (on.kind !== "recorded") throw new Error(on.why);
      const onFiles = await readAll(branch, on.state.head);
      expect(JSON.parse(onFiles.get("heads") ?? "")).toMatchObject({ version: oldestFormat, sequence: 2 });

      const raised = { ...on.state, format: newestFormat, sequence: 3 };
      const up = await ledger.record({ sentence: "up", actor: "ana", cause: "Test", next: raised }, on.state);
      if (up.kind !== "recorded") throw new Error(up.why);

      const files = [...(await readAll(branch, up.state.head))].filter(([path]) => !path.startsWith("archive/"));
      const versions = files.flatMap(([path, text]) => {
        const first = text.startsWith("# ") ? text.slice(2, text.indexOf("\n")) : text;
        const texts = path.endsWith(".jsonl") ? first.trim().split("\n") : [first];
        return texts.map((each) => [path, (JSON.parse(each) as Json)["version"]]);
      });
      expect(versions.length).toBeGreaterThan(7);
      expect(versions.filter(([, version]) => version !== newestFormat)).toEqual([]);
      expect(await openLedger(await fixture.open()).load(up.state.head)).toEqual(up.state);
    });
  });
}
