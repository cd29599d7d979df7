import { type FleetOptions, readFleet } from "../../read/fleet-source.ts";
import { findBus, withBus } from "../../read/with-bus.ts";
import { describeUnknown, type UnknownName } from "../../names/unknown-name.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { findUnknownNamespace } from "../check-scope.ts";

/** Why a namespace is in no cluster; undefined when it is in one, and where no fleet is known. */
export async function findMissingNamespace(
  name: string,
  options: FleetOptions,
  terminal: Terminal,
): Promise<UnknownName | undefined> {
  const place = options.kubeconfig === undefined ? findBus(options, terminal) : undefined;
  if (place !== undefined) return withBus(place, async (bus) => findUnknownNamespace(bus, name));
  if (options.kubeconfig === undefined) return undefined;
  const clusters = await readFleet(options, terminal);
  const names = [...clusters.values()].flatMap(({ namespaces }) => [...namespaces.keys()]);
  return names.length === 0 || names.includes(name) ? undefined : describeUnknown("namespace", name, names);
}
