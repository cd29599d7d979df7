import type { NotifyRule } from "#libs/campaign";
import { formatVersion } from "#libs/input";
import { z } from "zod";

import { ownVersion, readJson } from "../forms.ts";

/** The size limit of a value on the bus. */
const mostFacts = 1 << 20;

const occasion = z.enum(["failed", "paused", "approvalNeeded", "completed"]);

const rule = z.object({
  slack: z.object({ channel: z.string().exactOptional(), broadcast: z.array(occasion) }).exactOptional(),
  github: z.object({ dashboardIssue: z.boolean(), deployments: z.boolean(), labels: z.array(z.string()) }),
});

const facts = z.object({
  version: ownVersion,
  /** The rule of `meshroll.yml`, for persons' runs and for messages about no campaign. */
  fleet: rule,
  /** By campaign; stages in order. */
  campaigns: z.record(z.string(), z.object({ stages: z.array(z.object({ name: z.string(), notify: rule })) })),
  /** By run id: the newest hundred runs of campaigns. */
  runs: z.record(z.string(), z.object({ campaign: z.string(), stage: z.string().exactOptional() })),
});

/** KV `status`, key `notify`: who is notified of what, by main's files. Written by the planner, read by the notifier. */
export interface NotifyFacts {
  readonly fleet: NotifyRule;
  readonly campaigns: Readonly<
    Record<string, { readonly stages: readonly { readonly name: string; readonly notify: NotifyRule }[] }>
  >;
  readonly runs: Readonly<Record<string, { readonly campaign: string; readonly stage?: string }>>;
}

export function printNotifyFacts(value: NotifyFacts): string {
  return JSON.stringify({ version: formatVersion, ...value });
}

/** Undefined for a foreign value. */
export function readNotifyFacts(text: string): NotifyFacts | undefined {
  const read = readJson(facts, text, mostFacts);
  return read.ok ? read.value : undefined;
}
