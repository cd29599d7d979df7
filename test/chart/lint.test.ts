import { afterAll, describe, expect, it } from "vitest";

import { copyChart, helms, needed, runHelm } from "./helm.ts";

const { folder, remove } = copyChart();
afterAll(remove);

interface Refused {
  readonly name: string;
  readonly values: object;
  /** The value's name, as the message says it. */
  readonly want: RegExp;
}

const refused: readonly Refused[] = [
  { name: "no installation", values: { installation: "" }, want: /installation/u },
  { name: "an id that no init prints", values: { installation: "prod" }, want: /installation/u },
  {
    name: "a repository with a password",
    values: { repository: { url: "https://a:b@h.example/r.git" } },
    want: /url/u,
  },
  { name: "a value that there is not", values: { executor: { observe: true } }, want: /observe/u },
  { name: "a tag for a digest", values: { image: { digest: "latest" } }, want: /digest/u },
  { name: "the digest of no image", values: { image: { digest: `sha256:${"0".repeat(64)}` } }, want: /image\.digest/u },
  { name: "no digest", values: { image: { digest: "" } }, want: /image\.digest is not set.*pullPolicy=Never/u },
  { name: "no cluster", values: { executor: { clusters: "" } }, want: /executor\.clusters is not set/u },
  { name: "a cluster by a wrong name", values: { executor: { clusters: "East One" } }, want: /clusters/u },
  { name: "yes for true", values: { executor: { act: "yes" } }, want: /act/u },
  { name: "no planner by number", values: { planner: { replicas: 0 } }, want: /replicas/u },
  {
    name: "a token in values",
    values: { planner: { env: { MESHROLL_GIT_TOKEN: "t" } } },
    want: /MESHROLL_GIT_TOKEN|env/u,
  },
  {
    name: "a variable that is misspelt",
    values: { api: { env: { MESHROLL_PAGE: "on" } } },
    want: /MESHROLL_PAGE|env/u,
  },
  {
    name: "a number for a text",
    values: { planner: { env: { MESHROLL_GIT_POLL_SECONDS: 5 } } },
    want: /POLL_SECONDS/u,
  },
  {
    name: "a claim for two",
    values: { planner: { replicas: 2, existingClaim: "clone" } },
    want: /planner\.existingClaim/u,
  },
];

function merge(values: object): object {
  const base = new Map<string, unknown>(Object.entries(needed));
  for (const [key, value] of Object.entries(values)) {
    const before = base.get(key);
    base.set(key, typeof before === "object" ? { ...before, ...(value as object) } : value);
  }
  return Object.fromEntries(base);
}

describe.each(helms)("%s", (helm) => {
  it("lints the chart without a warning", () => {
    const { code, printed, said } = runHelm(helm, ["lint", "--strict", folder], needed);
    expect({ code, said, printed }).toMatchObject({ code: 0 });
    expect(`${printed}${said}`).not.toMatch(/WARN|ERROR/u);
  });

  it.each(refused)("refuses $name, and names the value", ({ values, want }) => {
    const { code, said } = runHelm(helm, ["template", "meshroll", folder, "--kube-version", "1.36.0"], merge(values));
    expect(code).not.toBe(0);
    expect(said).toMatch(want);
  });
});
