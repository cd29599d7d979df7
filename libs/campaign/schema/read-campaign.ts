import { compileNamePattern, findPatternSlip, findRevisionSlip, type Span } from "#libs/rollouts";

import type { ClusterOrder, Exclusion } from "../settings/campaign.ts";
import { checkCalendar } from "./check-calendar.ts";
import { checkStages } from "./check-stages.ts";
import { annotate, defineReader, locateChild, locateField, type Reader, refine, reportField } from "../fields/field.ts";
import { readPerson } from "./read-approvals.ts";
import { clusterName } from "../fields/read-clusters.ts";
import { readEntries, readFields } from "../fields/read-fields.ts";
import { readDay } from "../fields/read-instant.ts";
import { readList, readWords } from "../fields/read-list.ts";
import { type FrameFields, frameReaders, type PaceFields, readCampaignDefaults } from "./read-rules.ts";
import { readStage, type StageRead } from "./read-stage.ts";
import { readChoice, readCount, readDuration, readForm, readLater, readProse, readText } from "../fields/readers.ts";

/** `spec` of a campaign, as written. */
export interface CampaignFields extends FrameFields {
  readonly target: string;
  readonly replaces: readonly string[];
  readonly maxVersion: string;
  readonly owners: readonly string[];
  readonly exclude: readonly PatternRead[];
  readonly ignoreBudgets: readonly PatternRead[];
  readonly clusters: Partial<ClusterOrder>;
  readonly defaults: Partial<PaceFields>;
  readonly stages: readonly StageRead[];
  readonly file: never;
  readonly paused: never;
  readonly admission: never;
  readonly vms: never;
}

/** `metadata.name` and where it stands. */
export interface CampaignName {
  readonly text: string;
  readonly span: Span;
}

interface MetadataFields {
  readonly name: CampaignName;
  readonly labels: true;
  readonly annotations: true;
}

interface FileFields {
  readonly apiVersion: "meshroll.dev/v1";
  readonly kind: "Campaign";
  readonly metadata: Partial<MetadataFields>;
  readonly spec: Partial<CampaignFields>;
}

const campaignName = readForm(
  /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
  63,
  "small letters, digits and - only, at most 63",
);

/** Branches of ours that are no campaign's. */
const reserved: readonly string[] = ["ledger", "rollback"];

const readName: Reader<CampaignName> = refine(campaignName, (text, field) => {
  if (!reserved.includes(text)) return { text, span: locateField(field) };
  return reportField(field, `must not be \`${text}\``, `meshroll/${text} is a branch of its own`, "MR2009");
});

/** `labels` and `annotations`: kept for people and their tools, checked for being text. */
const readWordMap: Reader<true> = defineReader(
  { type: "object", additionalProperties: { type: "string", minLength: 1, maxLength: 500 } },
  (field) => {
    const entries = readEntries(field);
    for (const entry of entries ?? []) readProse(500)(entry.field);
    return entries === undefined ? undefined : true;
  },
);

const revision: Reader<string> = refine(
  readForm(
    /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/,
    63,
    "a revision, as the label istio.io/rev has it",
    "letters, digits, - _ . and an alphanumeric at both ends; one that looks like a number stands in quotes",
  ),
  (name, field) => {
    const slip = findRevisionSlip(name);
    if (slip !== undefined) field.report({ code: "MR1021", severity: "warning", span: locateField(field), ...slip });
    return name;
  },
);

interface CompiledPattern {
  readonly text: string;
  readonly matches: Exclusion["matches"];
  readonly span: Span;
}

/** MR1020 is an error where what its author means would not be protected. */
function readPattern(onSlip: "error" | "warning"): Reader<CompiledPattern> {
  return refine(readText(256), (text, field) => {
    const compiled = compileNamePattern(text);
    if (!compiled.ok) return reportField(field, `is not a pattern: ${compiled.message}`, compiled.help, "MR1006");
    const span = locateField(field);
    const slip = findPatternSlip(text);
    if (slip !== undefined) {
      const message = `\`${field.path}\` is probably not what is meant: ${slip.message}`;
      field.report({ code: "MR1020", severity: onSlip, span, message, help: slip.help });
    }
    return { text, matches: compiled.matches, span };
  });
}

/** An entry of `exclude` or `ignoreBudgets`, and where its pattern stands. */
export interface PatternRead extends Omit<Exclusion, "place"> {
  readonly span: Span;
}

interface WaiverFields {
  readonly pattern: CompiledPattern;
  readonly reason: string;
}

interface ExclusionFields extends WaiverFields {
  readonly until: number;
}

function readWaiverFields(onSlip: "error" | "warning") {
  return {
    pattern: annotate(readPattern(onSlip), "Matches whole names of namespaces, like the patterns of rollouts.yml."),
    reason: annotate(readProse(200), "Why; shown with each question for it."),
  };
}

function buildPattern({ pattern, reason, until }: Partial<ExclusionFields>): PatternRead | undefined {
  if (pattern === undefined || reason === undefined) return undefined;
  const { text, matches, span } = pattern;
  return { pattern: text, matches, span, reason, ...(until !== undefined && { until }) };
}

const readExclusion: Reader<PatternRead> = refine(
  readFields<ExclusionFields>(
    {
      ...readWaiverFields("error"),
      until: annotate(readDay, "A date (00:00 UTC) or time from which on it excludes nothing; absent = for good."),
    },
    ["pattern", "reason"],
  ),
  buildPattern,
);

const readWaiver: Reader<PatternRead> = refine(
  readFields<WaiverFields>(readWaiverFields("warning"), ["pattern", "reason"]),
  buildPattern,
);

function readExclusions(item: Reader<PatternRead>): Reader<readonly PatternRead[]> {
  return readList(item, { most: 100, example: '[{ pattern: "payments-.*", reason: audit }]' });
}

const cluster = readForm(
  clusterName,
  63,
  "the name of a cluster",
  "as in MESHROLL_CLUSTERS: small letters, digits and -",
);
const readWave = readWords(cluster, { least: 1, most: 500, example: "[prod-a, prod-b]" });

const readOrder: Reader<ClusterOrder["order"]> = refine(
  readList(readWave, { least: 1, most: 100, example: "[[stage-a], [prod-a, prod-b]]" }),
  (waves, field) => {
    const names = waves.flat();
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    return twice === undefined ? waves : reportField(field, `names \`${twice}\` in two waves`, "keep one of the two");
  },
);

const readClusterOrder = readFields<ClusterOrder>({
  order: annotate(readOrder, "Waves: inner lists go together; clusters that no list names come last."),
  concurrency: annotate(readCount(1), "Clusters of a wave that move at once; absent = all of them."),
  delayBetweenWaves: annotate(readDuration(0), "Between the end of a wave and the start of the next.", "0s"),
});

const readSpec = refine(
  readFields<CampaignFields>(
    {
      target: annotate(revision, "The revision that it brings."),
      replaces: annotate(
        readWords(revision, { least: 1, most: 20, example: "[1-24-5]" }),
        "Revisions whose workloads it moves; what runs any other is left alone.",
      ),
      maxVersion: annotate(
        readForm(/^v?\d{1,4}\.\d{1,4}(?:\.\d{1,4})?$/, 16, 'a version in quotes, such as "1.25.999"'),
        "The highest version that the target's istiod may report.",
      ),
      owners: annotate(readWords(readPerson, { most: 20, example: '["team:mesh"]' }), "Who may be asked about it.", []),
      exclude: annotate(readExclusions(readExclusion), "Namespaces that it leaves alone.", []),
      ignoreBudgets: annotate(
        readExclusions(readWaiver),
        "Namespaces whose workloads may roll below what their PodDisruptionBudgets allow.",
        [],
      ),
      clusters: annotate(readClusterOrder, "In which order clusters take part."),
      defaults: annotate(readCampaignDefaults, "Settings of every stage that does not set its own."),
      ...frameReaders,
      stages: annotate(
        readList(readStage, { least: 1, most: 100, example: "[{ name: prod-5, set: { production: 5 } }]" }),
        "One after the other, each by a pull request of its own.",
      ),
      file: readLater("it is rollouts.yml"),
      paused: readLater("`meshroll hold campaign/<name>` holds it, with a reason"),
      admission: readLater("workloads move when their batch comes"),
      vms: readLater("VM groups move with their namespaces, by `vms` of meshroll.yml"),
    },
    ["target", "replaces", "stages"],
  ),
  (read, field) => {
    checkCalendar(read, field);
    for (const problem of checkStages(read.stages ?? [])) field.report(problem);
    const { target, replaces } = read;
    if (target !== undefined && replaces?.includes(target) === true) {
      const message = `\`spec.replaces\` names the target ${target}: no workload would move`;
      const span = locateChild(field, "replaces");
      field.report({ code: "MR3002", span, message, help: "name the revisions that run today" });
    }
    return read;
  },
);

/** All of `campaigns/<name>.yml`. */
export const readCampaignFile = readFields<FileFields>(
  {
    apiVersion: annotate(readChoice("meshroll.dev/v1"), "The version of this format."),
    kind: annotate(readChoice("Campaign"), "What this file is."),
    metadata: readFields<MetadataFields>(
      {
        name: annotate(readName, "The file's name without its ending; part of branches, records and commands."),
        labels: annotate(readWordMap, "For your own tools; meshroll reads none of them."),
        annotations: annotate(readWordMap, "For your own tools; meshroll reads none of them."),
      },
      ["name"],
    ),
    spec: readSpec,
  },
  ["apiVersion", "kind", "metadata", "spec"],
);
