import type { Watched } from "../store/cluster-store.ts";
import type { ReflectorFault } from "../watch/reflector-fault.ts";
import type { WatchedResource } from "../watch/watched-resources.ts";

/** What is wrong with reading the cluster right now, in sentences for people. */
export interface Problems {
  report(resource: WatchedResource, fault: ReflectorFault): void;
  clear(resource: WatchedResource): void;
  /** The kubeconfig itself cannot be used; undefined: it can. */
  reportAccess(why: string | undefined): void;
  /** One sentence for each cause, however many collections it keeps from being read. */
  list(): readonly string[];
}

/** So many tries in a row must fail before a fault is reported. */
const PATIENCE = 3;
const stillness = "nothing moves in this cluster until it works";

type Trouble = readonly [resource: WatchedResource, fault: ReflectorFault];

/** `changed` is called when the list of problems is another one. */
export function createProblems(changed: () => void): Problems {
  const troubles = new Map<Watched, Trouble>();
  const tries = new Map<Watched, number>();
  let access: string | undefined;
  const put = (name: Watched, next: Trouble | undefined) => {
    const before = troubles.get(name);
    if (next === undefined) troubles.delete(name);
    else troubles.set(name, next);
    if (before?.[1].kind !== next?.[1].kind || before?.[1].why !== next?.[1].why) changed();
  };
  return {
    list: () => [...(access === undefined ? [] : [access]), ...describeAll([...troubles.values()])],
    clear: ({ name }) => {
      tries.delete(name);
      put(name, undefined);
    },
    reportAccess: (why) => {
      const next = why === undefined ? undefined : `cannot use the kubeconfig: ${why}: ${stillness}`;
      if (next === access) return;
      access = next;
      changed();
    },
    report: (resource, fault) => {
      const { name } = resource;
      const count = (tries.get(name) ?? 0) + 1;
      tries.set(name, count);
      const lasting = fault.kind === "forbidden" || fault.kind === "unauthorized" || fault.kind === "unserved";
      if (lasting || count >= PATIENCE) put(name, [resource, fault]);
    },
  };
}

function describeAll(troubles: readonly Trouble[]): readonly string[] {
  const causes = Map.groupBy(troubles, ([, { kind, why }]) => `${kind}: ${why}`);
  return [...causes].flatMap(([cause, [first, ...others]]) => {
    if (first === undefined) return [];
    if (others.length === 0) return [describe(first)];
    return [`cannot read this cluster (${cause}): ${stillness}${nameFix(first)}`];
  });
}

function describe(trouble: Trouble): string {
  const [{ name, without }, { kind, why }] = trouble;
  // After any other fault the view grows old.
  const lost = kind === "forbidden" ? (without ?? stillness) : stillness;
  return `cannot read ${name} (${kind}: ${why}): ${lost}${nameFix(trouble)}`;
}

function nameFix([{ rbac, path }, { kind, fix }]: Trouble): string {
  if (kind === "forbidden") return `; check with kubectl auth can-i watch ${rbac}`;
  if (kind === "unserved") return `; upgrade this cluster: it does not serve ${path}`;
  return fix === undefined ? "" : `; ${fix}`;
}
