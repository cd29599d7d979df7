import type { Campaign, Settings } from "#libs/campaign";

import type { Cause, SimulatedRun } from "./answer/answer.ts";
import type { SimulationQuestion } from "./simulate.ts";

/** A change that people could make, and the question that shows its effect. */
export interface PossibleChange {
  /** For people: "with batches twice as large". */
  readonly name: string;
  readonly question: SimulationQuestion;
}

function mapSettings(question: SimulationQuestion, change: (settings: Settings) => Settings): SimulationQuestion {
  const { head, campaign } = question;
  const stages = campaign.stages.map((stage) => ({ ...stage, settings: change(stage.settings) }));
  // Windows and freezes of `meshroll.yml` bind every run, in addition to the campaign's.
  return { ...question, head: { ...head, settings: change(head.settings) }, campaign: { ...campaign, stages } };
}

interface Lever {
  readonly name: string;
  /** It has an effect only where time is spent on this. */
  readonly cause: Cause;
  readonly change: (question: SimulationQuestion) => SimulationQuestion;
}

function withoutWaveDelay(campaign: Campaign): Campaign {
  return { ...campaign, clusters: { ...campaign.clusters, delayBetweenWaves: 0 } };
}

const levers: readonly Lever[] = [
  {
    name: "without windows",
    cause: "window",
    change: (question) => mapSettings(question, (settings) => ({ ...settings, windows: [] })),
  },
  {
    name: "without freezes",
    cause: "freeze",
    change: (question) => mapSettings(question, (settings) => ({ ...settings, freezes: [] })),
  },
  {
    name: "with bakes half as long",
    cause: "baking",
    change: (question) => mapSettings(question, (settings) => ({ ...settings, bake: Math.ceil(settings.bake / 2) })),
  },
  {
    name: "with batches twice as large",
    cause: "restarting",
    change: (question) =>
      mapSettings(question, (settings) => ({
        ...settings,
        batch: { ...settings.batch, batchSize: settings.batch.batchSize * 2 },
      })),
  },
  {
    name: "without delayBetweenWaves",
    cause: "waves",
    change: (question) => ({ ...question, campaign: withoutWaveDelay(question.campaign) }),
  },
  {
    name: "approved at once",
    cause: "approval",
    change: (question) => ({ ...question, timing: { ...question.timing, approval: 0 } }),
  },
  {
    name: "merged without notice",
    cause: "notice",
    change: (question) =>
      mapSettings(question, ({ autoMerge, ...settings }) =>
        autoMerge === undefined ? settings : { ...settings, autoMerge: { notice: 0 } },
      ),
  },
  // Last, because it takes the longest to simulate.
  {
    name: "with strategy Window",
    cause: "restarting",
    change: (question) => mapSettings(question, (settings) => ({ ...settings, strategy: "Window" })),
  },
];

/** Changes that could make this run end earlier, each alone: only those for a cause on which time is spent. */
export function listChanges(question: SimulationQuestion, run: SimulatedRun): readonly PossibleChange[] {
  const spent = new Set(run.stages.flatMap((stage) => Object.keys(stage.spent)));
  return levers.flatMap(({ name, cause, change }) => (spent.has(cause) ? [{ name, question: change(question) }] : []));
}
