import { lookUp } from "#libs/input";

import type { Change } from "../../port.ts";
import { revisionLabel, vmRevisionKey } from "./vm-keys.ts";

type Patch = Readonly<Record<string, string | null>>;

function renderRevision(labels: Patch | undefined): Patch {
  const revision = lookUp(labels, revisionLabel);
  return revision === undefined ? {} : { [vmRevisionKey]: revision };
}

/** The same change as of a pod template, by annotations of a WorkloadGroup: its own template belongs to the owner. */
export function renderVmPatch({ resourceVersion, annotations, template }: Change): object {
  const all = { ...annotations, ...template?.annotations, ...renderRevision(template?.labels) };
  return { metadata: { resourceVersion, ...(Object.keys(all).length === 0 ? {} : { annotations: all }) } };
}
