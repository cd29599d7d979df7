import { describe, expect, it } from "vitest";

import { openWorkshop, rollouts, type Workshop } from "./workshop.ts";

const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];

function pod(name: string): string {
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name} # it's "kept"\nspec: {}\n`;
}

function commit(shop: Workshop, folder: string): ReturnType<Workshop["attempt"]> {
  shop.run("git", ["-C", folder, "add", "--all"]);
  return shop.attempt("git", ["-C", folder, ...identity, "commit", "-q", "-m", "one"]);
}

/** A repository that uses the hook as the how-to says; what stands for meshroll's own has the shipped file alone. */
function openRepository(args: string): Workshop {
  const shop = openWorkshop();
  shop.copy(".pre-commit-hooks.yaml", "meshroll/.pre-commit-hooks.yaml");
  shop.run("git", ["init", "-q", "meshroll"]);
  expect(commit(shop, "meshroll").code).toBe(0);
  const revision = shop.run("git", ["-C", "meshroll", "rev-parse", "HEAD"]).trim();
  const hook = `      - id: meshroll-mutate\n        args: ${args}\n        files: ^k8s/\n`;
  shop.add({
    "app/.pre-commit-config.yaml": `repos:\n  - repo: ${shop.folder}/meshroll\n    rev: ${revision}\n    hooks:\n${hook}`,
    "app/rollouts.yml": rollouts,
    "app/k8s/a.yaml": pod("a"),
    "app/k8s/b.json": '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"},"spec":{}}\n',
    "app/other/c.yaml": pod("c"),
  });
  shop.run("git", ["init", "-q", "app"]);
  shop.run("bash", ["-ec", "cd app; pre-commit install"]);
  return shop;
}

describe("the real pre-commit with the hook of the repository", () => {
  it("stops the first commit, writes the named files, and lets the second pass", () => {
    const shop = openRepository("[--file=rollouts.yml, --namespace=shop]");
    const first = commit(shop, "app");
    expect(first.code).toBe(1);
    expect(first.said).toContain("files were modified by this hook");
    expect(first.said).not.toMatch(/warning|deprecat/i);
    const listed = shop.run("git", ["-C", "app", "diff", "--name-only"]);
    expect(listed).toBe("k8s/a.yaml\nk8s/b.json\n");
    expect(shop.run("cat", ["app/k8s/a.yaml"])).toContain(
      '  labels:\n    istio.io/rev: "1-25-2"\n  name: a # it\'s "kept"\n',
    );
    expect(commit(shop, "app")).toMatchObject({ code: 0 });
    expect(shop.run("git", ["-C", "app", "status", "--porcelain"])).toBe("");
  });

  it("stops the commit with mutate's own words where it fails, and writes nothing", () => {
    const shop = openRepository("[--file=nope.yml, --namespace=shop]");
    const { code, said } = commit(shop, "app");
    expect(code).toBe(1);
    expect(said).toContain("nope.yml: there is no such file");
    expect(shop.run("git", ["-C", "app", "diff", "--name-only"])).toBe("");
  });
});
