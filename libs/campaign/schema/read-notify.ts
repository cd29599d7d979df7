import { annotate, type Reader, refine } from "../fields/field.ts";
import { readFields } from "../fields/read-fields.ts";
import { readList, readWords } from "../fields/read-list.ts";
import { readChoice, readFlag, readForm, readLater, readProse } from "../fields/readers.ts";
import type { BroadcastOccasion, NotifyFields, NotifyRule } from "../settings/settings.ts";

interface SlackFields {
  readonly channel: string;
  readonly broadcast: readonly BroadcastOccasion[];
}

const channelHelp = 'in quotes, since # begins a comment: "#mesh-rollouts"';

const readSlack = readFields<SlackFields>({
  channel: annotate(
    readForm(/^#[a-z0-9._-]{1,80}$/, 81, "a channel such as #mesh-rollouts", channelHelp),
    "In quotes, since # begins a comment; absent = the notifier's own.",
  ),
  broadcast: annotate(
    readWords(readChoice("failed", "paused", "approvalNeeded", "completed"), { most: 4, example: "[failed, paused]" }),
    "Occasions that are told to the whole channel, not only in the run's thread.",
    [],
  ),
});

const readGithub = readFields<NotifyRule["github"]>({
  dashboardIssue: annotate(readFlag, "One open issue labelled `meshroll` as dashboard.", false),
  deployments: annotate(readFlag, "A deployment on GitHub for each run.", true),
  labels: annotate(
    readList(readProse(50), { most: 10, example: "[mesh]" }),
    "Put on pull requests next to `meshroll`.",
    [],
  ),
});

interface FileFields extends NotifyFields {
  readonly pagerduty: never;
}

/** `notify`, as far as it is written. */
export const readNotify: Reader<NotifyFields> = refine(
  readFields<FileFields>({
    slack: readSlack,
    github: readGithub,
    pagerduty: readLater("alert on the metrics of docs/reference/metrics.md"),
  }),
  (read) => read,
);
