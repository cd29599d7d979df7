import { describe, expect, it } from "vitest";

import { compileTemplate } from "./json-template.ts";

const value = {
  kind: "RunList",
  items: [
    { name: "a", state: "open", labels: { "acme.io/tier": "gold" } },
    { name: "b", state: "done", pods: 3 },
  ],
};

describe("templates of -o jsonpath, as kubectl has them", () => {
  const cases: readonly { readonly template: string; readonly want: string }[] = [
    { template: "{.kind}", want: "RunList" },
    { template: ".kind", want: "RunList" },
    { template: "{.items[*].name}", want: "a b" },
    { template: "{$.items[0].name}", want: "a" },
    { template: "{.items[-1:].name}", want: "b" },
    { template: '{range .items[*]}{.name}{"\\t"}{@.state}{"\\n"}{end}', want: "a\topen\nb\tdone\n" },
    { template: '{.items[?(@.state=="done")].name}', want: "b" },
    { template: "{.items[0].labels['acme.io/tier']}", want: "gold" },
    { template: "{.items[1].pods} pods", want: "3 pods" },
    { template: "{.items[0].labels}", want: '{"acme.io/tier":"gold"}' },
    { template: "{.nothing}", want: "" },
    { template: "{'}'}{.kind}", want: "}RunList" },
    { template: "plain", want: "plain" },
  ];
  it.each(cases)("$template", ({ template, want }) => expect(compileTemplate(template)(value)).toBe(want));

  const refused: readonly { readonly template: string; readonly want: RegExp }[] = [
    { template: "{.kind", want: /a brace is not closed/ },
    { template: "{range .items[*]}{.name}", want: /a \{range\} has no \{end\}/ },
    { template: "{end}", want: /\{end\} ends no \{range\}/ },
    { template: "{.items[}", want: /\{\.items\[\} is no path/ },
    { template: "{kind}", want: /neither a path, a text in quotes, range nor end/ },
  ];
  it.each(refused)("refuses $template before any request", ({ template, want }) =>
    expect(() => compileTemplate(template)).toThrow(want),
  );
});
