import {
  cleanName,
  completeName,
  findScopeKind,
  isLabelName,
  isStopScope,
  namesWorkload,
  readNamespaceName,
} from "#libs/input";
import type { FleetStatus, StopScope } from "#libs/plan";

import { listSome, refuseUnknown } from "../../names/unknown-name.ts";
import { parseScope } from "../../options/parse-scope.ts";
import type { LocalEvaluation } from "../../read/status-source.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";

/** What a converge is about: a scope, or some workloads of a namespace. */
export interface ConvergeSubject {
  readonly scope: StopScope;
  /** `cluster:namespace/Kind/name`, or `cluster:namespace/*`; absent = all of the scope. */
  readonly workloads?: readonly string[];
}

/** The parts of the fleet that names are compared with; absent where they are not known here. */
export type KnownFleet = Pick<LocalEvaluation, "snapshot"> | undefined;

function* listWorkloads(fleet: NonNullable<KnownFleet>) {
  for (const [cluster, { namespaces }] of fleet.snapshot.clusters) {
    for (const { workloads } of namespaces.values()) {
      for (const { namespace, kind, name } of workloads) yield { cluster, namespace, kind, name };
    }
  }
}

function isNamespaceOf(fleet: KnownFleet, name: string, cluster?: string): boolean {
  const clusters = [...(fleet?.snapshot.clusters ?? [])].filter(([each]) => cluster === undefined || each === cluster);
  return clusters.some(([, { namespaces }]) => namespaces.has(name));
}

/** One word is a campaign's name; where no campaign has it, a namespace's. */
function chooseWord(word: string, fleet: KnownFleet, status: FleetStatus | undefined): ConvergeSubject | undefined {
  const isCampaign = status?.campaigns?.some(({ name }) => name === word) === true;
  if (isCampaign || !isLabelName(word) || !isNamespaceOf(fleet, word)) return undefined;
  return { scope: `namespace/${word}` };
}

/** A workload by any form that names one of the fleet; in full, also where the fleet is not known. */
function chooseWorkload(text: string, fleet: KnownFleet): ConvergeSubject {
  const found = fleet === undefined ? [] : [...listWorkloads(fleet)].filter((each) => namesWorkload(text, each));
  const names = found.map(({ cluster, namespace, kind, name }) => `${cluster}:${namespace}/${kind}/${name}`);
  const namespaces = [...new Set(found.map(({ namespace }) => namespace))];
  const [namespace] = namespaces;
  if (namespace !== undefined && namespaces.length === 1) return { scope: `namespace/${namespace}`, workloads: names };
  if (namespaces.length > 1) {
    throw new Refusal(exitCodes.usage, `${text} may be any of ${names.length}: say which`, listSome(names));
  }
  const full = fleet === undefined ? completeName(text) : undefined;
  const own = /^[^:]+:([^/]+)\//u.exec(full ?? "")?.[1];
  if (full !== undefined && own !== undefined) return { scope: `namespace/${own}`, workloads: [full] };
  const known = fleet === undefined ? [] : [...listWorkloads(fleet)];
  const all = known.map(({ cluster, namespace: of, kind, name }) => `${cluster}:${of}/${kind}/${name}`);
  throw refuseUnknown("workload", cleanName(text), all, "the fleet is not known here: say cluster:namespace/Kind/name");
}

/** `cluster:namespace`: all of it in that cluster. */
function chooseNamespace(text: string, fleet: KnownFleet): ConvergeSubject | undefined {
  const place = readNamespaceName(text);
  if (place === undefined || !cleanName(text).includes(":")) return undefined;
  const { cluster, namespace } = place;
  if (cluster === undefined || (fleet !== undefined && !isNamespaceOf(fleet, namespace, cluster))) return undefined;
  return { scope: `namespace/${namespace}`, workloads: [`${cluster}:${namespace}/*`] };
}

/** A scope, or a name in any form that a screen prints. */
export function chooseSubject(text: string, fleet: KnownFleet, status: FleetStatus | undefined): ConvergeSubject {
  const clean = cleanName(text);
  if (isStopScope(text) || findScopeKind(clean) !== undefined) return { scope: parseScope(text) };
  if (/^[^/]+\/\*$/u.test(clean) && !clean.includes(":"))
    return { scope: parseScope(`namespace/${clean.slice(0, -2)}`) };
  if (/[:/]/u.test(clean)) return chooseNamespace(clean, fleet) ?? chooseWorkload(clean, fleet);
  return chooseWord(clean, fleet, status) ?? { scope: parseScope(text) };
}
