import type { InstalledObject, Installer } from "#libs/fleet";
import { quoteForShell } from "#libs/wording";

/** One command that takes a part of a control plane away, and what it takes. */
export interface Deletion {
  readonly command: string;
  /** `namespace/resource/name`, or `resource/name`. */
  readonly objects: readonly string[];
}

function nameObject({ namespace, resource, name }: InstalledObject): string {
  return `${namespace === undefined ? "" : `${namespace}/`}${resource}/${name}`;
}

/** Objects that one command takes: those of one installer, else of one namespace, as kubectl takes one at a time. */
function nameGroup(each: InstalledObject): string {
  const place = each.by.kind === "manifest" ? (each.namespace ?? "") : "";
  return JSON.stringify([each.by, place]);
}

function printTool(by: Exclude<Installer, { readonly kind: "manifest" }>, revision: string): string {
  switch (by.kind) {
    case "sail":
      return `kubectl delete istiorevisions.sailoperator.io ${quoteForShell(by.istioRevision)}`;
    case "helm":
      return `helm uninstall ${quoteForShell(by.release)} -n ${quoteForShell(by.namespace)}`;
    case "istioctl":
      return `istioctl uninstall --revision ${quoteForShell(revision)}`;
  }
}

function printKubectl(group: readonly InstalledObject[]): string {
  const [{ namespace } = {}] = group;
  const place = namespace === undefined ? "" : ` -n ${quoteForShell(namespace)}`;
  return `kubectl delete${place} ${group.map(({ resource, name }) => quoteForShell(`${resource}/${name}`)).join(" ")}`;
}

/** The commands that delete a revision's control plane from a cluster, by what installed each object there, in their order. */
export function listDeletions(
  cluster: string,
  revision: string,
  installed: readonly InstalledObject[],
): readonly Deletion[] {
  const groups = Map.groupBy(installed, nameGroup);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const command = first.by.kind === "manifest" ? printKubectl(group) : printTool(first.by, revision);
    return [{ command: `${command} # in cluster ${cluster}`, objects: group.map(nameObject) }];
  });
}
