import { locate, type Parsed, type Source, type Span } from "#libs/rollouts";
import { checkCalendar } from "../schema/check-calendar.ts";
import { annotate, locateField, type Reader, refine } from "../fields/field.ts";
import { settingsKind } from "../document/file-kind.ts";
import type { NamespaceSelector } from "../settings/label-selector.ts";
import { type LevelFields, layerSettings } from "../schema/layer-settings.ts";
import { type BucketRead, readBuckets } from "../fields/read-buckets.ts";
import { type ClustersFields, readClusters } from "../fields/read-clusters.ts";
import { hasErrors, readDocument } from "../fields/read-document.ts";
import { readFields } from "../fields/read-fields.ts";
import { readFileDefaults } from "../schema/read-rules.ts";
import { type AdmissionFields, readAdmission } from "../fields/read-admission.ts";
import { readVms, type VmFields } from "../fields/read-vms.ts";
import { readSelector } from "../fields/read-selector.ts";
import { readChoice, readText } from "../fields/readers.ts";
import { rememberSeed } from "../settings/check-seed.ts";
import {
  builtInAdmission,
  builtInSettings,
  builtInVms,
  type DriftPolicy,
  type DriftSettings,
  type GatewayPolicy,
  type Settings,
} from "../settings/settings.ts";

interface NamespacesFields {
  readonly selector: NamespaceSelector;
}

interface AssignmentFields {
  readonly algorithm: "wrh1";
  readonly seed: { readonly text: string; readonly span: Span };
}

interface FileFields {
  readonly namespaces: Partial<NamespacesFields>;
  readonly assignment: Partial<AssignmentFields>;
  readonly defaults: LevelFields & { readonly drift?: DriftPolicy };
  readonly clusters: ClustersFields;
  readonly buckets: readonly BucketRead[];
  readonly gateways: GatewayPolicy;
  readonly admission: Partial<AdmissionFields>;
  readonly vms: Partial<VmFields>;
}

const readSeed: Reader<AssignmentFields["seed"]> = refine(readText(100), (text, field) => {
  return { text, span: locateField(field) };
});

/** All of `meshroll.yml`. */
export const readSettingsFile = readFields<FileFields>({
  namespaces: readFields<NamespacesFields>({
    selector: annotate(readSelector, "Which namespaces meshroll manages: a label selector."),
  }),
  assignment: readFields<AssignmentFields>({
    algorithm: annotate(readChoice("wrh1"), "How namespaces are assigned to revisions.", "wrh1"),
    seed: annotate(readSeed, "Another seed is another order in which namespaces move.", ""),
  }),
  defaults: annotate(
    refine(readFileDefaults, (read, field) => {
      checkCalendar(read, field);
      return read;
    }),
    "Settings of every run, unless its campaign or stage sets its own.",
  ),
  clusters: annotate(
    readClusters,
    "By the names in MESHROLL_CLUSTERS: which ones runs do not wait for, where their control planes run, and their own `drift`.",
  ),
  buckets: annotate(readBuckets, "By their patterns in rollouts.yml: their own `drift`, unless a cluster has its own."),
  gateways: annotate(
    readChoice("hold", "move"),
    "move: gateways move as any workload. hold: a namespace whose label would move one waits.",
    "hold",
  ),
  admission: readAdmission,
  vms: readVms,
});

function listClusterSettings(clusters: ClustersFields | undefined): Partial<Settings> {
  return clusters === undefined ? {} : { excludedClusters: clusters.excluded, controlPlanes: clusters.controlPlanes };
}

/** What the file says of drift, at its three levels. */
function listDriftSettings({ defaults, buckets = [], clusters }: Partial<FileFields>, source: Source): DriftSettings {
  const placed = buckets.map(({ pattern, drift, span }) => {
    return [pattern, { policy: drift, place: locate(source, span.start) }] as const;
  });
  return {
    fleet: defaults?.drift ?? builtInSettings.drift.fleet,
    buckets: new Map(placed),
    clusters: clusters?.drift ?? new Map(),
  };
}

function listGatewaySettings(gateways: GatewayPolicy | undefined): Partial<Settings> {
  return gateways === undefined ? {} : { gateways };
}

/** Reads `meshroll.yml`: every field with its value or built-in value, or all problems at once with their places. */
export function parseSettings(text: string | Uint8Array, file: string): Parsed<Settings> {
  const outcome = readDocument(text, file, settingsKind, readSettingsFile);
  if (!outcome.ok) return outcome;
  const { source, read, findings } = outcome.document;
  if (hasErrors(findings)) return { ok: false, findings };
  const { namespaces, assignment, defaults = {}, clusters, gateways, admission, vms } = read;
  const seed = assignment?.seed;
  const value: Settings = {
    ...layerSettings(builtInSettings, defaults),
    ...namespaces,
    ...(seed !== undefined && { seed: seed.text }),
    ...listClusterSettings(clusters),
    drift: listDriftSettings(read, source),
    ...listGatewaySettings(gateways),
    vms: { ...builtInVms, ...vms },
    ...(admission !== undefined && { admission: { ...builtInAdmission, ...admission } }),
  };
  if (seed !== undefined) rememberSeed(value, locate(source, seed.span.start));
  return { ok: true, value, findings };
}
