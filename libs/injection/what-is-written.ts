import { istioKeys, markKeys, parseRestartedFor, type Workload } from "#libs/fleet";

import type { Site } from "./find-site.ts";

/** The name that the workload's own field asks for now: its label, or `restarted-for` where no label of its own decides. */
export function whatIsWritten(workload: Workload, site: Site): string | undefined {
  switch (site.kind) {
    case "template":
    case "manifest":
      return workload.template.labels[istioKeys.revision];
    case "tag":
    case "namespace":
    case "admission": {
      const token = workload.template.annotations[markKeys.restartedFor];
      return token === undefined ? undefined : parseRestartedFor(token)?.revision;
    }
    case "none":
      return undefined;
  }
}
