import type { Share } from "../../libs/rollouts/source/types.ts";
import { hashSeed, listCandidates, pickCandidate } from "../../libs/rollouts/hashing/wrh1.ts";
import {
  atMostPeer,
  type Bench,
  fasterThanPeer,
  type Figure,
  findMedian,
  knownMiss,
  type Quantity,
  takeMedian,
} from "../bench.ts";
import { makeFlagd } from "./flagd.ts";
import { makeNamespaces } from "../fleet.ts";
import { readName } from "./read-name.ts";
import { type Contestant, measureInTurns } from "../measure.ts";
import { isEnabled, selectVariant } from "./unleash-style.ts";

const NAMES = 20_000;
const ROUNDS = 11;

const shares: readonly Share[] = [
  { revision: "1-24-5", weight: 75 },
  { revision: "1-25-2", weight: 25 },
];

/** One assignment between two revisions. The peers get the same distribution, and no bucket is looked up either. */
export const assignBench: Bench = { name: "assign", run: runAssign };

function runAssign(): readonly Figure[] {
  const names = makeNamespaces(NAMES);
  const candidates = listCandidates(shares, hashSeed("2026q4"));
  const variants = shares.map(({ revision, weight }) => ({ name: revision, weight }));
  const flagd = makeFlagd(shares);
  refuseIdlePeer("flagd-core", names.map(flagd));

  const took = measureInTurns(
    {
      known: overAll(names, readName),
      ours: overAll(names, (name) => pickCandidate(name, candidates)?.weight ?? 0),
      variant: overAll(names, (name) => selectVariant(name, "production", variants)?.weight ?? 0),
      gradual: overAll(names, (name) => (isEnabled(name, "production", 25) ? 25 : 75)),
      flagd: overAll(names, (name) => flagd(name).length),
    },
    ROUNDS,
  );

  const ns = (rounds: readonly number[]): Quantity => takeMedian(rounds, "ns");
  return [
    atMostPeer("assignment, 2 revisions", ns(took.ours), "FNV-1a of the name", ns(took.known), 5),
    atMostPeer("assignment, 2 revisions", ns(took.ours), "Unleash-style variant", ns(took.variant), 1.1),
    // For information: an on/off rollout needs one hash and no variants, so beating it is no goal.
    atMostPeer("assignment, 2 revisions", ns(took.ours), "Unleash-style on/off", ns(took.gradual), 2),
    // A tenth of flagd's time is about what reading a name of 23 characters takes.
    knownMiss(
      fasterThanPeer("assignment, 2 revisions", ns(took.ours), "flagd-core fractional", ns(took.flagd), 10),
      findMedian(took.flagd) >= 1.5 * findMedian(took.ours),
    ),
  ];
}

function overAll(names: readonly string[], use: (name: string) => number): Contestant {
  return {
    operations: names.length,
    pass: () => {
      let sum = 0;
      for (const name of names) sum += use(name);
      return sum;
    },
  };
}

/** A wrongly configured peer answers fast: its time counts only when it gives 25 % about the right share. */
function refuseIdlePeer(peer: string, answers: readonly string[]): void {
  const share = (answers.filter((answer) => answer === "1-25-2").length / answers.length) * 100;
  if (Math.abs(share - 25) > 2)
    throw new Error(`${peer} gives 1-25-2 to ${share.toFixed(1)} % instead of 25 %: its set-up is wrong`);
}
