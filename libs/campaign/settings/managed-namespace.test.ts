import { describe, expect, it } from "vitest";

import { makeSelector, type NamespaceSelector } from "./label-selector.ts";
import { isManagedNamespace } from "./managed-namespace.ts";
import { parseLabelSelector } from "./parse-label-selector.ts";

function select(text: string): { readonly selector: NamespaceSelector } {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return { selector: makeSelector(parsed.requirements) };
}

interface Case {
  readonly name: string;
  readonly selector?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly want: RegExp | "managed";
}

describe("isManagedNamespace", () => {
  const cases: readonly Case[] = [
    { name: "payments", want: "managed" },
    { name: "kube-public", want: /^kube-\* namespaces are not managed/ },
    { name: "kube-system", want: /^kube-system is never managed/ },
    { name: "istio-system", want: /never managed/ },
    { name: "meshroll-system", want: /never managed/ },
    { name: "kubernetes-docs", want: "managed" },
    { name: "istio-e2e", want: "managed" },
    { name: "payments", selector: "team=a", labels: { team: "a" }, want: "managed" },
    { name: "payments", selector: "team=a", labels: { team: "b" }, want: /do not meet namespaces.selector: team=a/ },
    { name: "kube-public", selector: "", want: "managed" },
    { name: "kube-system", selector: "", want: /never managed/ },
    { name: "istio-system", selector: "team=a", labels: { team: "a" }, want: /never managed/ },
    { name: "blue", selector: "kubernetes.io/metadata.name in (blue,green)", want: "managed" },
    { name: "red", selector: "kubernetes.io/metadata.name in (blue,green)", want: /do not meet/ },
  ];
  it.each(cases)("answers $want for $name with selector $selector and labels $labels", (one) => {
    const settings = one.selector === undefined ? {} : select(one.selector);
    const answer = isManagedNamespace(settings, one.name, one.labels ?? {});
    expect(answer.managed ? "managed" : answer.reason).toMatch(one.want);
  });
});
