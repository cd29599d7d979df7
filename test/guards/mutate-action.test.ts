import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { makeFolder } from "#test/run-cli";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Step {
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

const action = parse(read("actions/mutate/action.yml")) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly [Step] };
};
const [step] = action.runs.steps;

const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    istio.io/rev: old\nspec: {}\n";

function openCheckout(): string {
  return makeFolder({ "rollouts.yml": "production:\n  1-25-2: 100\n", "k8s/pod.yaml": pod });
}

/** Plays the action as a runner does: puts expressions of inputs into `env` only, and runs the script by bash. */
function play(cwd: string, inputs: Readonly<Record<string, string>>) {
  const env = Object.fromEntries(
    Object.entries(step.env).map(([name, text]) => {
      const fill = (_all: string, key: string) => inputs[key] ?? action.inputs[key]?.default ?? "";
      return [name, text.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, fill)];
    }),
  );
  const given = { ...process.env, ...env, GITHUB_ACTION_PATH: join(root, "actions/mutate"), SOURCE_DATE_EPOCH: "0" };
  return spawnSync("bash", ["-e", "-c", step.run], { cwd, env: given, encoding: "utf8" });
}

describe("actions/mutate/action.yml", () => {
  it("fails for an old label, with a list and the fix, and changes nothing", () => {
    const cwd = openCheckout();
    const { status, stdout } = play(cwd, { manifests: "k8s", namespace: "shop" });
    expect(status).toBe(2);
    expect(stdout).toContain("k8s/pod.yaml:1:1: Pod p: old → 1-25-2\n");
    expect(stdout).toContain("::error title=meshroll mutate::");
    expect(readFileSync(join(cwd, "k8s/pod.yaml"), "utf8")).toBe(pod);
  });

  it("writes the files when it is told to, and passes afterwards", () => {
    const cwd = openCheckout();
    expect(play(cwd, { manifests: "k8s", namespace: "shop", write: "true" }).status).toBe(0);
    expect(readFileSync(join(cwd, "k8s/pod.yaml"), "utf8")).toContain('    istio.io/rev: "1-25-2"\n');
    expect(play(cwd, { manifests: "k8s", namespace: "shop" }).status).toBe(0);
  });

  it("never executes an input", () => {
    const cwd = openCheckout();
    expect(step.run).not.toContain("${{");
    expect(play(cwd, { manifests: "$(touch seen)", namespace: "shop" }).status).toBe(65);
    expect(execFileSync("ls", { cwd, encoding: "utf8" })).toBe("k8s\nrollouts.yml\n");
  });
});

describe(".pre-commit-hooks.yaml", () => {
  const [hook] = parse(read(".pre-commit-hooks.yaml")) as readonly [
    { readonly entry: string; readonly language: string },
  ];

  it("its entry writes the given files, and a second run changes nothing", () => {
    const cwd = openCheckout();
    const run = () => {
      const [name, ...args] = hook.entry.split(" ");
      expect(name).toBe("meshroll");
      const all = [join(root, "bin/meshroll.mjs"), ...args, "--namespace=shop", "k8s/pod.yaml"];
      execFileSync(process.execPath, all, { cwd, env: { ...process.env, SOURCE_DATE_EPOCH: "0" } });
      return readFileSync(join(cwd, "k8s/pod.yaml"), "utf8");
    };
    const once = run();
    expect(once).toContain('    istio.io/rev: "1-25-2"\n');
    expect(run()).toBe(once);
  });
});
