import { isVmName, word } from "#libs/events";
import type { Vm, VmGroupRef, VmReport } from "#libs/fleet";
import { isLabelName } from "#libs/input";

import type { NewTag } from "../port.ts";
import type { Ec2Instance } from "./ec2-calls.ts";

/** Whose VM an instance is: `CLUSTER/NAMESPACE/GROUP`, set by people. */
export const groupTag = "meshroll:group";
/** The metadata service of an instance shows tags whose keys have letters, digits and `+-=.,_:@`. */
const revisionTag = "meshroll-revision";
const taggedAtTag = "meshroll-tagged-at";

const revision = word(256);

function readGroup(text: string): VmGroupRef | undefined {
  const [cluster = "", namespace = "", name = "", ...more] = text.split("/");
  const isGroup = more.length === 0 && isLabelName(cluster) && isLabelName(namespace) && isVmName(name);
  return isGroup ? { cluster, namespace, name } : undefined;
}

/** The tags to set for a revision, in one call. */
export function printTags({ revision: name, at }: NewTag): readonly (readonly [string, string])[] {
  return [
    [revisionTag, name],
    [taggedAtTag, String(at)],
  ];
}

function readTag({ tags }: Ec2Instance): Pick<Vm, "tag" | "taggedAt"> {
  const read = revision.safeParse(tags.get(revisionTag));
  if (!read.success) return {};
  const at = tags.get(taggedAtTag) ?? "";
  return { tag: read.data, ...(/^\d{1,15}$/u.test(at) ? { taggedAt: Number(at) } : {}) };
}

/** The instance as a VM, without its report; undefined when the tag of its group cannot be read. */
export function readInstance(instance: Ec2Instance): Vm | undefined {
  const group = readGroup(instance.tags.get(groupTag) ?? "");
  if (group === undefined || !isVmName(instance.id)) return undefined;
  const isStopped = instance.state !== "pending" && instance.state !== "running";
  return { group, name: instance.id, ...readTag(instance), ...(isStopped ? { stopped: true as const } : {}) };
}

/** An agent may name only an address that its instance has: by another one it would pass for another VM. */
export function correctAddress(report: VmReport, { addresses }: Ec2Instance): VmReport {
  const [primary] = addresses;
  return primary === undefined || addresses.includes(report.address) ? report : { ...report, address: primary };
}
