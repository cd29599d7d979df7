import {
  cleanName,
  completeName,
  findScopeKind,
  isLabelName,
  isStopScope,
  type NamedWorkload,
  namesWorkload,
  readNamespaceName,
  readNamespaceOfWorkload,
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

function nameInFull({ cluster, namespace, kind, name }: NamedWorkload): string {
  return `${cluster}:${namespace}/${kind}/${name}`;
}

/** Where the fleet is not known, a name has to be complete. */
function chooseUnseen(text: string): ConvergeSubject {
  const [full, namespace] = [completeName(text), readNamespaceOfWorkload(text)?.namespace];
  if (full !== undefined && namespace !== undefined) return { scope: `namespace/${namespace}`, workloads: [full] };
  throw refuseUnknown("workload", text, [], "the fleet is not known here: say cluster:namespace/Kind/name");
}

/** A workload by any form that names one of the fleet. */
function chooseWorkload(text: string, fleet: KnownFleet): ConvergeSubject {
  if (fleet === undefined) return chooseUnseen(text);
  const found = [...listWorkloads(fleet)].filter((each) => namesWorkload(text, each));
  const names = found.map(nameInFull);
  const [namespace, ...others] = new Set(found.map((each) => each.namespace));
  if (namespace === undefined) throw refuseUnknown("workload", text, [...listWorkloads(fleet)].map(nameInFull));
  if (others.length === 0) return { scope: `namespace/${namespace}`, workloads: names };
  throw new Refusal(exitCodes.usage, `${text} may be any of ${names.length}: say which`, listSome(names));
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
