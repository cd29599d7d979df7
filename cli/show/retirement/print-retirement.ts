import type { RevisionUse, Use } from "#libs/fleet";

import type { Sentence } from "../../terminal/sentence.ts";
import type { Retirement, ClusterUsage, WayBack } from "./judge-retirement.ts";
import { listDeletions } from "./list-deletions.ts";

const words: Readonly<Record<Use, (use: RevisionUse) => string>> = {
  pods: ({ what, count }) => `${what}  ${count} ${count === 1 ? "pod runs" : "pods run"} it`,
  template: ({ what }) => `${what}  its next pod asks for it`,
  namespace: ({ what }) => `${what}  its label makes new pods use it`,
  tag: ({ what }) => `${what}  points to it`,
  validatingWebhook: ({ what }) => `${what}  asks its istiod`,
  mutatingWebhook: ({ what }) => `${what}  injects by its istiod`,
  machine: ({ what }) => `${what}  its VMs carry its label, or shall run it`,
  vms: ({ what, count }) => `${what}  ${count} ${count === 1 ? "VM runs" : "VMs run"} it (meshroll get vms)`,
  config: ({ what }) => `${what}  selects it alone, and stops applying without it`,
  connected: ({ what, count }) => `${what}  ${count} ${count === 1 ? "proxy is" : "proxies are"} connected to it`,
};

function printCluster(each: ClusterUsage, revision: string): readonly string[] {
  if ("why" in each) return [`? ${each.name}: not known: ${each.why}`];
  const { uses, ended, unread, readAt, isInstalled } = each.usage;
  const doubt = unread.map((what) => `? ${each.name}: not known: ${what}`);
  const undated = readAt === undefined ? [`? ${each.name}: its API server does not say what time it is`] : [];
  const gone = ended.reduce((sum, { count }) => sum + count, 0);
  const past = gone === 0 ? [] : [`  ${gone} completed or failed pods ran it: nothing of theirs runs any more`];
  const place = isInstalled ? "" : ` (${revision} has no injector there)`;
  const isFree = uses.length === 0 && doubt.length === 0 && undated.length === 0;
  const head = uses.length > 0 ? `✖ ${each.name}: ${uses.length} in use` : `✔ ${each.name}: nothing uses it`;
  const said = uses.length > 0 || isFree ? [`${head}${place}`] : [];
  return [...said, ...uses.map((use) => `    ${words[use.as](use)}`), ...past, ...doubt, ...undated];
}

function printWay(way: WayBack, revision: string): Sentence {
  switch (way.kind) {
    case "bucket":
      return `✖ main: ${way.bucket} gives it ${way.percent} %`;
    case "campaign": {
      const what = way.isTarget
        ? `moves to ${revision}`
        : `moves away from ${revision}, and a rollback goes back to it`;
      const line = `✖ main: campaign ${way.campaign} (${way.file}) ${what}:  `;
      return [line, { command: `meshroll finish ${way.campaign}` }];
    }
    case "run":
      return [`✖ ledger: run ${way.run} is open, and may be rolled back:  `, { command: "meshroll status" }];
  }
}

function printVerdict({ verdict, revision, clusters, main }: Retirement): Sentence {
  switch (verdict) {
    case "retired":
      return `${revision} can be uninstalled from ${clusters.map(({ name }) => name).join(", ")}, as of main ${main.slice(0, 12)}`;
    case "used":
      return `${revision} is in use: keep its istiod until all of these are gone`;
    case "unknown":
      return `whether ${revision} is in use is not known: keep its istiod`;
  }
}

/** What deletes it from the cluster; only of a revision that is certified. */
function printDeletions(each: ClusterUsage, revision: string): readonly Sentence[] {
  if ("why" in each) return [];
  const { installed, installedUnread } = each.usage;
  const commands = listDeletions(each.name, revision, installed);
  const head = commands.length === 0 ? [] : ["    Deleting is yours. What is there of it goes, in this order, by:"];
  return [
    ...head,
    ...commands.map(({ command }): Sentence => ["      ", { command }]),
    ...installedUnread.map((what) => `    ? not known whether there is more: ${what}`),
  ];
}

/** For people: the verdict, the users, what could bring workloads back, and what to delete once there are none. */
export function printRetirement(retirement: Retirement): readonly Sentence[] {
  const { clusters, waysBack, revision, verdict } = retirement;
  return [
    printVerdict(retirement),
    ...waysBack.map((way) => printWay(way, revision)),
    ...clusters.flatMap((each) => [
      ...printCluster(each, revision),
      ...(verdict === "retired" ? printDeletions(each, revision) : []),
    ]),
  ];
}

/** For programs: the certificate, or all reasons against it. */
export function renderRetirement({ revision, main, verdict, waysBack, clusters }: Retirement): object {
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "RetirementCertificate",
    revision,
    verdict,
    main,
    waysBack,
    clusters: clusters.map((each) => {
      if ("why" in each) return { name: each.name, error: each.why };
      const { readAt, ...usage } = each.usage;
      const deletions = verdict === "retired" ? { delete: listDeletions(each.name, revision, usage.installed) } : {};
      const at = readAt === undefined ? null : new Date(readAt).toISOString();
      return { name: each.name, readAt: at, ...usage, ...deletions };
    }),
  };
}
