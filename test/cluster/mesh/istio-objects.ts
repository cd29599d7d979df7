import { execFileSync } from "node:child_process";

import { parseAllDocuments, stringify } from "yaml";

import type { ClusterProgram } from "../programs/find-programs.ts";

/** Loopback ports of one istiod. */
export interface IstiodPorts {
  readonly http: number;
  readonly webhooks: number;
  readonly grpc: number;
  readonly xds: number;
  readonly monitoring: number;
}

/** The objects of Istio's chart for one revision, as YAML. */
export interface RevisionObjects {
  readonly crds: string;
  readonly others: string;
  /** The webhook configurations in `others`. */
  readonly webhooks: string;
}

/** The Deployment is kept: its pods, which KWOK simulates, show that the cluster has an istiod. */
const leftOut = new Set(["HorizontalPodAutoscaler", "PodDisruptionBudget"]);

function print(documents: readonly object[]): string {
  return documents.map((each) => stringify(each, { lineWidth: 0 })).join("---\n");
}

/** Renders the charts that istioctl contains, with more settings of them; webhooks point to loopback. */
export function renderRevision(
  istioctl: ClusterProgram,
  revision: string,
  ports: IstiodPorts,
  more: readonly string[] = [],
): RevisionObjects {
  const url = `https://localhost:${ports.webhooks}`;
  const settings = [
    "profile=minimal",
    `revision=${revision}`,
    `values.istiodRemote.injectionURL=${url}/inject`,
    `values.base.validationURL=${url}/validate`,
    ...more,
  ];
  const args = [...istioctl.prefix, "manifest", "generate", ...settings.flatMap((each) => ["--set", each])];
  const text = execFileSync(istioctl.path, args, { encoding: "utf8", maxBuffer: 64 * 1024 ** 2 });
  const documents = parseAllDocuments(text)
    .map((document) => document.toJS() as { kind?: string } | null)
    .filter((each) => each !== null && each.kind !== undefined && !leftOut.has(each.kind));
  const isCrd = (each: { kind?: string } | null) => each?.kind === "CustomResourceDefinition";
  return {
    crds: print(documents.filter((each) => each !== null && isCrd(each)) as readonly object[]),
    webhooks: print(documents.filter((each) => each?.kind === "MutatingWebhookConfiguration") as readonly object[]),
    others: print(documents.filter((each) => each !== null && !isCrd(each)) as readonly object[]),
  };
}
