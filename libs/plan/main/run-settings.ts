import type { Campaign, Settings, Stage } from "#libs/campaign";

import type { RunRecord, Spec } from "../records/index.ts";

type Belonging = Pick<RunRecord, "campaign" | "stage" | "beside">;

/** The campaign of a run, as head's files say it; undefined for a person's run, and once the campaign is finished. */
export function findCampaign({ campaigns }: Spec, run: Belonging | undefined): Campaign | undefined {
  return run?.campaign === undefined ? undefined : campaigns.get(run.campaign);
}

/** The stage whose settings hold for a run; its campaign's first, the most careful one, where it was renamed meanwhile. */
export function findStage(spec: Spec, run: Belonging | undefined): Stage | undefined {
  const stages = findCampaign(spec, run)?.stages;
  return stages?.find(({ name }) => name === run?.stage) ?? stages?.[0];
}

/** What else has to prove a run of several campaigns: the longest bake, every gate, the smallest batch; the rest is the first's. */
function joinSettings(all: readonly Settings[]): Settings | undefined {
  const [own] = all;
  if (own === undefined || all.length === 1) return own;
  // By name, the first one's before others: a verdict is on record by the gate's name.
  const gates = new Map(all.toReversed().flatMap((each) => each.gates.map((gate) => [gate.name, gate] as const)));
  const batchSize = Math.min(...all.map(({ batch }) => batch.batchSize));
  return {
    ...own,
    bake: Math.max(...all.map(({ bake }) => bake)),
    gates: [...gates.values()],
    batch: { ...own.batch, batchSize },
  };
}

function findSettings(spec: Spec, run: Belonging | undefined): Settings | undefined {
  if (run?.beside === undefined) return findStage(spec, run)?.settings;
  return joinSettings([run, ...run.beside].flatMap((each) => findStage(spec, each)?.settings ?? []));
}

/** The same where head may be none, or not parse: then what is known of the files as a whole holds. */
export function settingsOver<T extends Settings | undefined>(
  spec: Spec | undefined,
  run: Belonging | undefined,
  base: T,
): Settings | T {
  return (spec === undefined ? undefined : findSettings(spec, run)) ?? base;
}

/** What holds for a run by head's files: its stage's settings, or for a person's run those of `meshroll.yml` (rules 1.4, 4.3). */
export function settingsOf(spec: Spec, run: Belonging | undefined): Settings {
  return findSettings(spec, run) ?? spec.settings;
}
