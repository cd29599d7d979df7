import type { Span } from "#libs/rollouts";
import { isMap, isSeq } from "yaml";

import {
  annotate,
  defineReader,
  type Field,
  locateChild,
  locateField,
  type Reader,
  refine,
  reportField,
} from "../fields/field.ts";
import type { Gate } from "../settings/gate.ts";
import { readFields } from "../fields/read-fields.ts";
import { readList } from "../fields/read-list.ts";
import { type PrometheusProbe, readPrometheus } from "./read-prometheus.ts";
import { readChoice, readCount, readDecimal, readDuration, readForm, readLater } from "../fields/readers.ts";
import { builtInGates } from "../settings/settings.ts";

type Probe<K extends Gate["kind"]> = Omit<Extract<Gate, { kind: K }>, "name" | "when" | "onFail" | "onNoData" | "kind">;

interface GateFields {
  readonly name: string;
  readonly when: Gate["when"];
  readonly onFail: Gate["onFail"];
  readonly onNoData: Gate["onNoData"];
  readonly restartHealth: Probe<"restartHealth">;
  readonly revisionMatch: Probe<"revisionMatch">;
  readonly proxySync: Probe<"proxySync">;
  readonly prometheus: PrometheusProbe;
  readonly analyze: never;
  readonly job: never;
  readonly http: never;
}

const probeKinds = ["restartHealth", "revisionMatch", "proxySync", "prometheus"] as const;

const readRestartHealth: Reader<Probe<"restartHealth">> = refine(
  readFields<Probe<"restartHealth">>({
    maxFailureRatio: annotate(readDecimal(0, 1), "Failed workloads of those tried.", 0),
    minSamples: annotate(readCount(1), "There is no verdict before this many workloads were tried.", 1),
  }),
  ({ maxFailureRatio = 0, minSamples = 1 }) => ({ maxFailureRatio, minSamples }),
);

const readRevisionMatch: Reader<Probe<"revisionMatch">> = refine(
  readFields<Probe<"revisionMatch">>({
    minRatio: annotate(readDecimal(0, 1), "Pods of the run's workloads that run the target revision.", 1),
  }),
  ({ minRatio = 1 }) => ({ minRatio }),
);

const readProxySync: Reader<Probe<"proxySync">> = refine(
  readFields<Probe<"proxySync">>({
    minSyncedRatio: annotate(readDecimal(0, 1), "Proxies that the target's istiod calls synced.", 0.999),
    within: annotate(readDuration(0), "How long a proxy may be unsynced.", "5m"),
  }),
  ({ minSyncedRatio = 0.999, within = 300_000 }) => ({ minSyncedRatio, within }),
);

const readGateFields = readFields<GateFields>(
  {
    name: annotate(
      readForm(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/, 40, "small letters, digits and - only"),
      "Unique; a stage's gate takes the place of one of the same name in the defaults.",
    ),
    when: annotate(
      readChoice("before", "during", "after"),
      "before the first batch; during the run and its bake; after the bake.",
      "after",
    ),
    onFail: annotate(readChoice("pause", "rollback", "notify"), "What a failed gate does.", "pause"),
    onNoData: annotate(readChoice("hold", "pass", "fail"), "The verdict while there is no value.", "hold"),
    restartHealth: annotate(readRestartHealth, "Did the workloads that were restarted come up?"),
    revisionMatch: annotate(readRevisionMatch, "Do their pods run the target revision?"),
    proxySync: annotate(readProxySync, "Has the target's istiod synced their proxies?"),
    prometheus: annotate(readPrometheus, "A query, and what its value may be."),
    analyze: readLater("run istioctl analyze in CI until then"),
    job: readLater("run the probe in CI, or measure it with a prometheus gate"),
    http: readLater("measure it with a prometheus gate"),
  },
  ["name"],
);

const gateSchema = { ...readGateFields.schema, oneOf: probeKinds.map((kind) => ({ required: [kind] })) };

function buildProbe(read: Partial<GateFields>, kind: (typeof probeKinds)[number]): Record<string, unknown> | undefined {
  const probe = read[kind];
  return probe === undefined ? undefined : { kind, ...probe };
}

/** The name of a built-in gate is reserved for its kind: `restart-health` that measures something else would be misleading. */
function isReserved(name: string, kind: Gate["kind"]): boolean {
  return builtInGates.some((gate) => gate.name === name && gate.kind !== kind);
}

function buildGate(read: Partial<GateFields>, field: Field): Gate | undefined {
  const { name, when = "after", onFail = "pause", onNoData = "hold" } = read;
  const kinds = probeKinds.filter((kind) => read[kind] !== undefined);
  const [kind] = kinds;
  if (kinds.length > 1) {
    return reportField(
      field,
      `has ${kinds.length} kinds (${kinds.join(", ")}); a gate has exactly one`,
      "write two gates",
    );
  }
  const probe = kind === undefined ? undefined : buildProbe(read, kind);
  if (kind === undefined || probe === undefined || name === undefined) return undefined;
  if (isReserved(name, kind)) {
    const message = `\`${name}\` is the name of a built-in gate of another kind`;
    field.report({ code: "MR2009", span: locateChild(field, "name"), message, help: "choose another name" });
    return undefined;
  }
  // The reader gives exactly the fields of one kind.
  return { name, when, onFail, onNoData, ...probe } as Gate;
}

const readGate: Reader<Gate> = defineReader(gateSchema, (field) => {
  let faults = 0;
  const read = readGateFields({
    ...field,
    report: (problem) => {
      faults++;
      field.report(problem);
    },
  });
  if (read === undefined) return undefined;
  const isBare = faults === 0 && probeKinds.every((kind) => read[kind] === undefined);
  if (!isBare) return buildGate(read, field);
  return reportField(
    field,
    `measures nothing: write one of ${probeKinds.join(", ")}`,
    "revisionMatch: { minRatio: 1 }",
  );
});

/** The place of the last gate of a name. Gates keep no places, so it is looked up only for a finding. */
function locateLast(field: Field, name: string): Span {
  const items = isSeq(field.node) ? field.node.items.filter(isMap) : [];
  const last = items.findLast((item) => item.get("name") === name);
  return last === undefined ? locateField(field) : locateChild({ ...field, node: last }, "name");
}

/** `gates`, each with its own name. */
export const readGates: Reader<readonly Gate[]> = refine(
  readList(readGate, { most: 20, example: "[{ name: on-revision, revisionMatch: { minRatio: 1 } }]" }),
  (gates, field) => {
    const twice = gates.find(({ name }, index) => gates.findIndex((gate) => gate.name === name) !== index);
    if (twice === undefined) return gates;
    const message = `a gate named \`${twice.name}\` exists already in \`${field.path}\``;
    field.report({ code: "MR2002", span: locateLast(field, twice.name), message, help: "give each its own name" });
    return undefined;
  },
);
