import { createFakeClone, createFakeRemote, openFakeRepository } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import { testInstallation } from "#libs/input";
import { createSigner, type LedgerSigner, openLedger } from "#libs/ledger";
import { createRepositorySnapshots } from "#libs/repository";
import { type LedgerState, makeBaseline } from "#libs/plan";
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";

const branch = "meshroll/ledger";

function makeSigner(): LedgerSigner {
  const { privateKey } = generateKeyPairSync("ed25519");
  return createSigner(privateKey.export({ format: "pem", type: "pkcs8" }).toString());
}

const [old, current] = [makeSigner(), makeSigner()];

function name(...signers: readonly LedgerSigner[]): string {
  return `ledger:\n  signers: [${signers.map(({ publicKey }) => `"${publicKey}"`).join(", ")}]\n`;
}

/** A repository whose ledger `signer` began, and a reader that comes and goes with its clone. */
async function open(settings: string | null, signer: LedgerSigner | undefined) {
  const clock = createVirtualClock();
  const remote = createFakeRemote({ now: () => clock.now() });
  const merge = (text: string | null) => remote.commitToMain({ files: { "meshroll.yml": text } });
  remote.commitToMain({ files: { "rollouts.yml": "production:\n  old: 100\n" } });
  const first = merge(settings);
  const writer = openFakeRepository(remote);
  const entry = makeBaseline(first, clock.now(), "ana", testInstallation);
  const began = await openLedger(writer, signer).record(entry, undefined);
  if (began.kind !== "recorded") throw new Error(began.why);
  let newest = began.state;

  async function record(by: LedgerSigner | undefined, change: Partial<LedgerState> = {}): Promise<LedgerState> {
    const next = { ...newest, sequence: newest.sequence + 1, ...change };
    const outcome = await openLedger(writer, by).record({ sentence: "x", actor: "x", cause: "x", next }, newest);
    if (outcome.kind !== "recorded") throw new Error(outcome.why);
    newest = outcome.state;
    return newest;
  }

  const clone = createFakeClone();
  const start = () => {
    const repository = openFakeRepository(remote, { clone });
    return createRepositorySnapshots(repository, openLedger(repository), clock);
  };
  const startPlanner = (own?: LedgerSigner) => {
    const repository = openFakeRepository(remote, { clone });
    return createRepositorySnapshots(repository, openLedger(repository, own), clock, { records: true });
  };
  return { remote, merge, record, start, startPlanner, clone };
}

describe("with signers on main, a reader", () => {
  test("uses a ledger that one of them signed", async () => {
    const { start, record } = await open(name(old, current), old);
    const second = await record(current);
    const { ledger, doubt } = await start().refresh();
    expect([ledger?.head, doubt]).toEqual([second.head, undefined]);
  });

  test("stays with what it believed when an unsigned commit comes on top, and remembers that one nowhere", async () => {
    const { start, record, clone, remote } = await open(name(current), current);
    const good = await record(current);
    const reader = start();
    await reader.refresh();
    const forged = await record(undefined);
    const want = { kind: "unsigned", commit: forged.head, author: "meshroll planner", why: "it has no signature" };
    const seen = await reader.refresh();
    expect([seen.ledger?.head, seen.doubt]).toEqual([good.head, want]);
    expect(clone.notes.get("ledger")).toContain(good.head);

    const next = start();
    await next.recall();
    expect([next.view()?.ledger?.head, next.view()?.doubt]).toEqual([good.head, want]);
    remote.force(branch, good.head);
    const back = await next.refresh();
    expect([back.ledger?.head, back.doubt]).toEqual([good.head, undefined]);
  });

  test("that is new, with nothing remembered, uses no unsigned ledger", async () => {
    const { start } = await open(name(current), undefined);
    const { ledger, doubt } = await start().refresh();
    expect([ledger, doubt?.kind]).toEqual([undefined, "unsigned"]);
  });

  test("checks only the newest commit: the holder of a key vouches for what is below it", async () => {
    const { start, record } = await open(name(current), undefined);
    await record(undefined);
    const vouched = await record(current);
    const { ledger, doubt } = await start().refresh();
    expect([ledger?.head, doubt]).toEqual([vouched.head, undefined]);
  });

  test("uses none whose key left main, at once, until a current key signs", async () => {
    const { start, record, merge } = await open(name(old), old);
    const reader = start();
    await reader.refresh();
    merge(name(current));
    const { doubt } = await reader.refresh();
    expect(doubt).toMatchObject({ kind: "unsigned", why: expect.stringContaining(old.fingerprint) as string });
    const signed = await record(current);
    const seen = await reader.refresh();
    expect([seen.ledger?.head, seen.doubt]).toEqual([signed.head, undefined]);
  });

  test("holds at the merge that names the first signers, where the newest commit is unsigned", async () => {
    const { start, merge } = await open(null, undefined);
    const reader = start();
    expect((await reader.refresh()).doubt).toBeUndefined();
    merge(name(current));
    expect((await reader.refresh()).doubt?.kind).toBe("unsigned");
  });

  const broken: readonly { readonly name: string; readonly text: string }[] = [
    { name: "does not parse", text: "ledger: [\n" },
    { name: "has one field that is none", text: `${name(current)}surprise: 1\n` },
    { name: "names a key that is none", text: "ledger: { signers: [ssh-rsa AAAA] }\n" },
  ];
  test.each(broken)("keeps to the signers of before while meshroll.yml $name", async ({ text }) => {
    const { start, record, merge } = await open(name(current), current);
    const reader = start();
    await reader.refresh();
    merge(text);
    const forged = await record(undefined);
    const want = { kind: "unsigned", commit: forged.head };
    expect((await reader.refresh()).doubt).toMatchObject(want);
    expect((await start().refresh()).doubt).toMatchObject(want);
    // Put right by people, it still is what it was.
    merge(name(current));
    expect((await start().refresh()).doubt).toMatchObject(want);
  });

  test("uses any again once people take the signers out of main", async () => {
    const { start, record, merge } = await open(name(current), current);
    merge(null);
    const forged = await record(undefined);
    const { ledger, doubt } = await start().refresh();
    expect([ledger?.head, doubt]).toEqual([forged.head, undefined]);
  });

  test("takes an older signed commit for what it is, where it knows a newer one", async () => {
    const { start, record, remote } = await open(name(current), current);
    const older = await record(current);
    await record(current);
    const reader = start();
    await reader.refresh();
    remote.force(branch, older.head);
    expect((await reader.refresh()).doubt?.kind).toBe("setBack");
  });
});

describe("with signers on main, a planner", () => {
  const cases: readonly { readonly name: string; readonly own?: LedgerSigner; readonly want: unknown }[] = [
    { name: "whose key is named decides", own: current, want: undefined },
    { name: "without a key uses no ledger, for it could record nothing", want: { kind: "cannotSign" } },
    {
      name: "with a key that is not named does neither, and says which line is missing",
      own: old,
      want: { kind: "cannotSign", key: { fingerprint: old.fingerprint, publicKey: old.publicKey } },
    },
  ];
  test.each(cases)("$name", async ({ own, want }) => {
    const { startPlanner, record } = await open(name(current), current);
    const newest = await record(current);
    const { ledger, doubt } = await startPlanner(own).refresh();
    expect([ledger?.head, doubt]).toEqual([newest.head, want]);
  });

  test("without a key decides as ever where main names no signers", async () => {
    const { startPlanner } = await open(null, undefined);
    expect((await startPlanner().refresh()).doubt).toBeUndefined();
  });
});
