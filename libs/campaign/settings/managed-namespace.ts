import { findUnmet } from "./label-selector.ts";
import type { Settings } from "./settings.ts";

/** Whether meshroll manages a namespace; `reason` is a clause for people. */
export type ManagedAnswer = { readonly managed: true } | { readonly managed: false; readonly reason: string };

/** Never selected: they contain the control planes. */
const never: readonly string[] = ["kube-system", "istio-system", "meshroll-system"];

/** The API server sets it on every namespace; a stand-in or an old object may lack it. */
const nameLabel = "kubernetes.io/metadata.name";

/** Judges one namespace by its name and all of its labels. Its workloads are judged by `#libs/injection`. */
export function isManagedNamespace(
  settings: Pick<Settings, "selector">,
  name: string,
  labels: Readonly<Record<string, string>>,
): ManagedAnswer {
  if (never.includes(name)) return { managed: false, reason: `${name} is never managed` };
  if (settings.selector === undefined) {
    if (!name.startsWith("kube-")) return { managed: true };
    return { managed: false, reason: "kube-* namespaces are not managed unless namespaces.selector selects them" };
  }
  const unmet = findUnmet(settings.selector, { [nameLabel]: name, ...labels });
  if (unmet === undefined) return { managed: true };
  return { managed: false, reason: `its labels do not meet namespaces.selector: ${unmet}` };
}
