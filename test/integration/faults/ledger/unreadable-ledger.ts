import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";

import type { Fault, Stage } from "../passes/fault.ts";
import { countOn, file, names, readEnd } from "../passes/shop.ts";
import { staysStill } from "../passes/stays-still.ts";
import { askCli } from "./ask-cli.ts";
import { findWait, holdsAll, reconciles } from "./holds-all.ts";

const ledger = "meshroll/ledger";
const eve = { name: "eve", email: "eve@example.com" };
const unreadable = "LedgerUnreadable";
/** Exit code of a command that found what must be put right. */
const problems = 79;

/** A commit of a person on top of the ledger; null deletes. Answers what it is. */
async function pushToLedger({ fleet }: Stage, files: Readonly<Record<string, string | null>>): Promise<string> {
  for (;;) {
    const { ledger: onto } = await fleet.repository.fetch();
    if (onto === undefined) throw new Error("there is no ledger");
    const draft = { branch: ledger, onto, files, message: "edited by hand", author: eve };
    const pushed = await fleet.repository.commitAndPush(draft);
    if (pushed.kind === "pushed") return pushed.sha;
    // The planner recorded something meanwhile.
  }
}

const stopAll = {
  version: 1,
  id: "by-hand",
  scope: "all",
  strength: "move",
  at: "2026-01-01T00:00:00.000Z",
  who: "ana",
  why: "look first",
  cause: "verb",
};

/** A recorded stop of all, in a commit that breaks a record: what cannot be read must not be taken for a git that is away. */
async function playEdited(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await stage.open("well");
  await fleet.merge({ "rollouts.yml": file(100) });
  await stage.reach();
  const broken = "runs/000000000000.json";
  const edit = await pushToLedger(stage, { [broken]: "{", "stops/by-hand.json": JSON.stringify(stopAll) });
  await holdsAll(stage, unreadable, [edit.slice(0, 12), broken]);

  // A pause stands in the cluster though nothing can record it.
  const paused = await askCli(fleet, "pause", "all", "--timeout", "10s", "--reason", "the ledger is broken");
  match(paused.stdout, /✔ stopped in one/u);
  const reconciled = await askCli(fleet, "ledger", "check");
  strictEqual(reconciled.code, problems, reconciled.stderr);
  for (const each of [edit.slice(0, 12), broken, "meshroll ledger check --repair"])
    ok(reconciled.stdout.includes(each), `ledger check says ${each}: ${reconciled.stdout}`);
  await fleet.meshroll("ledger", "check", "--repair", "--yes", "--by", "ana");

  await fleet.until("both stops are in force", async () => {
    const ids = (await fleet.status())?.stops.map(({ id }) => id) ?? [];
    return ids.includes("by-hand") && ids.length === 2 && (await findWait(stage, unreadable)) === undefined;
  });
  await staysStill(stage, async () => undefined, reconciles);
  await fleet.meshroll("resume", "all", "--reason", "it is put right");
  // Of several on one scope its caller's go first; that of another person is ended by its name.
  await fleet.meshroll("resume", "--id", "by-hand", "--reason", "it is put right");
  stage.fixed();
  await stage.endsUndisturbed("well");
}

/** What another version wrote is not read; a rollback at once goes, and a stop by kubectl holds even that. */
async function playNewer(stage: Stage): Promise<void> {
  const { fleet } = stage;
  const { model } = fleet;
  await stage.open("well");
  const merged = (await fleet.merge({ "rollouts.yml": file(100) })).slice(0, 12);
  await fleet.until("half of them have arrived", () => countOn(fleet, "new") >= names.length / 2);
  const other = JSON.stringify({ version: 2, id: "other", scope: "all" });
  const edit = await pushToLedger(stage, { "stops/other.json": other });
  await holdsAll(stage, unreadable, [edit.slice(0, 12), "stops/other.json", "version 2"]);

  const reconciled = await askCli(fleet, "ledger", "check");
  strictEqual(reconciled.code, problems, reconciled.stderr);
  match(reconciled.stdout, /stops\/other\.json[^]*install the build that planner and executors run/u);
  const repaired = await askCli(fleet, "ledger", "check", "--repair", "--yes");
  notStrictEqual(repaired.code, 0, "what another version wrote is not undone");

  model.setConfigMap("meshroll-system", "meshroll-stop", {});
  await fleet.until("status names it", async () => {
    return (await fleet.status())?.stops.some(({ cause }) => cause === "kubectl") === true;
  });
  const rollback = [
    "rollback",
    `run/${merged}`,
    "--now",
    "--yes",
    "--timeout",
    "10s",
    "--reason",
    "back before the edit",
  ];
  const asked = await askCli(fleet, ...rollback);
  match(asked.stdout, /✔ rolls back in one/u);
  await staysStill(stage, async () => undefined, reconciles);
  model.deleteConfigMap("meshroll-system", "meshroll-stop");
  await fleet.until("all are back", () => countOn(fleet, "old") === names.length);

  await pushToLedger(stage, { "stops/other.json": null });
  stage.fixed();
  await fleet.until("the rollback is recorded", async () =>
    Object.values((await fleet.ledger()).stops).some(({ cause }) => cause === "rollback"),
  );
  await fleet.merge({ "rollouts.yml": file(0) });
  await fleet.untilRunEnds(2);
  const { revisions, writes } = await readEnd(fleet);
  deepStrictEqual(revisions, Object.fromEntries(names.map((name) => [name, "old"])));
  const uneven = Object.entries(writes).filter(([, count]) => count !== 0 && count !== 2);
  deepStrictEqual(uneven, [], "each workload went there and back, or stayed");
}

/** A ledger that was pushed to, over real processes and a real command line. */
export const unreadableLedgerFaults: readonly Fault[] = [
  {
    name: "ledger-edited",
    factor: 60,
    shows:
      "a commit that breaks a record holds all at once, its stop of all is found when ledger check put it right, then all goes on",
    play: playEdited,
  },
  {
    name: "ledger-of-another-version",
    factor: 60,
    shows:
      "a record of another version holds all at once; a stop by kubectl and rollback --now are heeded before it is taken out",
    play: playNewer,
  },
];
