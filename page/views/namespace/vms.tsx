import type { FleetStatus } from "#libs/plan";
import { printVmGroup } from "#libs/wording";

import { pickOwn } from "../../model/concerns.ts";
import { splitWorkload } from "../../model/places.ts";
import { Command } from "../../parts/command.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Section } from "../../parts/section.tsx";

/** Its groups of VMs that are on the move, VM by VM, and the command that says which VM waits for what. */
export function Vms({ fleet, name }: { readonly fleet: FleetStatus; readonly name: string }) {
  const items = fleet.rollouts.flatMap(({ cluster, vms = [] }) =>
    vms.map((group) => ({ cluster, group, workload: `${cluster}:${group.workload}` })),
  );
  const { own } = pickOwn(name, { count: items.length, items });
  if (own.length === 0) return null;
  return (
    <Section id="vms" title="Its virtual machines">
      <ul class="plain">
        {own.map(({ cluster, group, workload }) => (
          <li key={workload}>
            <Mark kind={group.failed > 0 ? "failed" : "moving"} /> <bdi>{splitWorkload(workload).rest}</bdi> in{" "}
            <bdi>{cluster}</bdi>: {printVmGroup(group)}{" "}
            <Command text={`meshroll get vms ${name}/${group.workload.split("/").at(-1) ?? ""}`} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
