import type { Watched } from "../store/cluster-store.ts";
import type { ReflectorFault } from "../watch/reflector-fault.ts";
import type { WatchedResource } from "../watch/watched-resources.ts";

/** What is wrong with reading the cluster right now, in sentences for people. */
export interface Problems {
  report(resource: WatchedResource, fault: ReflectorFault): void;
  clear(resource: WatchedResource): void;
  list(): readonly string[];
}

/** A fault that fixes itself within so many tries is not reported. */
const PATIENCE = 3;

/** `changed` is called when the list of problems is another one. */
export function createProblems(changed: () => void): Problems {
  const texts = new Map<Watched, string>();
  const tries = new Map<Watched, number>();
  const put = (name: Watched, text: string | undefined) => {
    if (texts.get(name) === text) return;
    if (text === undefined) texts.delete(name);
    else texts.set(name, text);
    changed();
  };
  return {
    list: () => [...texts.values()],
    clear: ({ name }) => {
      tries.delete(name);
      put(name, undefined);
    },
    report: (resource, fault) => {
      const { name } = resource;
      const count = (tries.get(name) ?? 0) + 1;
      tries.set(name, count);
      const lasting = fault.kind === "forbidden" || fault.kind === "unauthorized";
      if (lasting || count >= PATIENCE) put(name, describe(resource, fault));
    },
  };
}

function describe({ name, without, rbac }: WatchedResource, { kind, why }: ReflectorFault): string {
  const effect = without ?? "nothing moves in this cluster until it works";
  const fix = kind === "forbidden" ? `; check with kubectl auth can-i watch ${rbac}` : "";
  return `cannot read ${name} (${kind}: ${why}): ${effect}${fix}`;
}
