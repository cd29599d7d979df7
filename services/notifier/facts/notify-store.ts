import { lookUp } from "#libs/input";
import type { Bus } from "#libs/bus";
import { type NotifyFacts, readNotifyFacts } from "#libs/events";

import type { Occasion } from "./notifications.ts";

type Rule = NotifyFacts["fleet"];

/** A run's place in its campaign. */
export interface StageName {
  readonly campaign: string;
  readonly stage?: string;
  /** From 1, of so many; absent when main's files no longer name the stage. */
  readonly index?: number;
  readonly of?: number;
}

/** The rules for notifications that the planner read from main. While they are unknown, the notifier's own settings hold. */
export interface NotifyStore {
  set(facts: NotifyFacts | undefined): void;
  /** False until the planner has published rules since the bus was created. */
  readonly isKnown: boolean;
  ofRun(run: string): Rule;
  ofCampaign(campaign: string): Rule;
  stageOf(run: string): StageName | undefined;
  /** Some campaign, or `meshroll.yml`, asks for the dashboard issue. */
  readonly wantsDashboard: boolean;
}

/** Before the planner has published rules everything goes to the notifier's own channel. */
const unknown: Rule = { github: { dashboardIssue: false, deployments: true, labels: [] } };

/** A store without rules. */
export function createNotifyStore(): NotifyStore {
  let facts: NotifyFacts | undefined;

  function findStage(campaign: string, stage: string | undefined): Rule | undefined {
    const stages = lookUp(facts?.campaigns, campaign)?.stages ?? [];
    return (stages.find(({ name }) => name === stage) ?? stages[0])?.notify;
  }

  const fleet = (): Rule => facts?.fleet ?? unknown;
  return {
    set: (next) => void (facts = next),
    get isKnown() {
      return facts !== undefined;
    },
    ofRun(run) {
      const belongs = lookUp(facts?.runs, run);
      return (belongs && findStage(belongs.campaign, belongs.stage)) ?? fleet();
    },
    ofCampaign: (campaign) => findStage(campaign, undefined) ?? fleet(),
    stageOf(run) {
      const belongs = lookUp(facts?.runs, run);
      if (belongs === undefined) return undefined;
      const stages = lookUp(facts?.campaigns, belongs.campaign)?.stages ?? [];
      const index = stages.findIndex(({ name }) => name === belongs.stage);
      return index === -1 ? belongs : { ...belongs, index: index + 1, of: stages.length };
    },
    get wantsDashboard() {
      const all = Object.values(facts?.campaigns ?? {}).flatMap(({ stages }) => stages);
      return fleet().github.dashboardIssue || all.some(({ notify }) => notify.github.dashboardIssue);
    },
  };
}

/** Whether the whole channel sees it; without a rule for Slack every occasion is broadcast. */
export function mayBroadcast({ slack }: Rule, occasion: Occasion | undefined): boolean {
  return occasion !== undefined && (slack === undefined || slack.broadcast.includes(occasion));
}

/** Follows the rules that the planner publishes. After a wipe the last ones hold until it publishes again. */
export async function followNotify(bus: Bus, store: NotifyStore, signal: AbortSignal): Promise<void> {
  const watcher = {
    onEntry({ value }: { readonly value?: string }) {
      const facts = value === undefined ? undefined : readNotifyFacts(value);
      if (facts !== undefined) store.set(facts);
    },
    onReady: () => undefined,
    onReset: () => undefined,
  };
  await bus.bucket("status").watch("notify", watcher, signal);
}
