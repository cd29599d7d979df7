import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { makeFolder, runCli } from "#test/run-cli";

const rollouts = "production:\n  1-24-5: 100\nistio-e2e:\n  1-25-2: 100\n";
const env = { SOURCE_DATE_EPOCH: "1795514400" };

function writeDeployment(name: string, namespace?: string): string {
  const line = namespace === undefined ? "" : `\n  namespace: ${namespace}`;
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}${line}
spec:
  template:
    metadata:
      labels: # who it is
        app: ${name}
    spec:
      containers: []
`;
}

const stream = `# a stream
${writeDeployment("cart", "shop")}---
apiVersion: v1
kind: Service
metadata: {name:  x}
---
${writeDeployment("e2e", "istio-e2e")}`;

function addLines(text: string, name: string, revision: string): string {
  return text
    .replace(
      `metadata:\n  name: ${name}\n`,
      `metadata:\n  annotations:\n    meshroll.dev/mutated-at: "2026-11-24T10:00:00Z"\n  name: ${name}\n`,
    )
    .replace(`        app: ${name}\n`, `        istio.io/rev: "${revision}"\n        app: ${name}\n`);
}

const mutated = addLines(addLines(stream, "cart", "1-24-5"), "e2e", "1-25-2");

describe("meshroll mutate", () => {
  it("is a filter: adds lines for label and annotation, and keeps every other byte", async () => {
    const cwd = makeFolder({ "rollouts.yml": rollouts });
    const once = await runCli(["mutate", "--file", "rollouts.yml", "-f", "-"], { cwd, env, stdin: stream });
    expect(once).toEqual({ code: 0, stdout: mutated, stderr: "" });
    const twice = await runCli(["mutate", "--file", "rollouts.yml", "-f", "-"], { cwd, stdin: once.stdout });
    expect(twice).toEqual({ code: 0, stdout: mutated, stderr: "" });
  });

  it("keeps bytes as they are: split characters, BOM, CRLF, control characters", async () => {
    const cwd = makeFolder({ "rollouts.yml": rollouts });
    const text = `\uFEFFkind: Gizmo\r\nnote: "grün \u{1F680}"\r\nesc: "\u0085"\r\n`;
    const bytes = Buffer.from(text);
    const stdin = [bytes.subarray(0, 29), bytes.subarray(29)];
    expect((await runCli(["mutate"], { cwd, stdin })).stdout).toBe(text);
  });

  it("--check only lists what would change and ends with 2, or with 0 where nothing would", async () => {
    const cwd = makeFolder({ "rollouts.yml": rollouts, "a.yaml": stream });
    expect(await runCli(["mutate", "--check", "-f", "a.yaml"], { cwd, env })).toEqual({
      code: 2,
      stdout:
        "a.yaml:2:1: Deployment shop/cart: no label → 1-24-5\na.yaml:19:1: Deployment istio-e2e/e2e: no label → 1-25-2\n",
      stderr: "",
    });
    expect(readFileSync(join(cwd, "a.yaml"), "utf8")).toBe(stream);
    expect(await runCli(["mutate", "--check"], { cwd, stdin: mutated })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("--write changes files of a folder in place, and keeps their modes", async () => {
    const cwd = makeFolder({
      "rollouts.yml": rollouts,
      "k8s/a.yaml": stream,
      "k8s/b/c.json": "{}",
      "k8s/.x/d.yaml": "a: [",
    });
    expect(await runCli(["mutate", "--write", "k8s"], { cwd, env })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(join(cwd, "k8s/a.yaml"), "utf8")).toBe(mutated);
    expect(readFileSync(join(cwd, "k8s/b/c.json"), "utf8")).toBe("{}");
    expect(statSync(join(cwd, "k8s/a.yaml")).mode).toBe(statSync(join(cwd, "rollouts.yml")).mode);
  });

  it("prints several files as one stream", async () => {
    const cwd = makeFolder({ "rollouts.yml": rollouts, "a.yaml": "a: 1", "b.yaml": "b: 1\n", "c.yaml": "---\nc: 1\n" });
    const { stdout } = await runCli(["mutate", "a.yaml", "b.yaml", "-f", "c.yaml"], { cwd });
    expect(stdout).toBe("a: 1\n---\nb: 1\n---\nc: 1\n");
  });

  it("--namespace is for objects without one; without the flag these stay and are reported with their place", async () => {
    const cwd = makeFolder({ "rollouts.yml": rollouts });
    const text = writeDeployment("cart");
    const unknown = await runCli(["mutate"], { cwd, stdin: text });
    expect(unknown).toEqual({
      code: 0,
      stdout: text,
      stderr: `(stdin):1:1: Deployment cart stays as it is: it names no namespace, so its revision is unknown
  say which one it will be: --namespace NAME
`,
    });
    expect((await runCli(["mutate", "--strict"], { cwd, stdin: text })).code).toBe(83);
    const known = await runCli(["mutate", "-n", "istio-e2e"], { cwd, env, stdin: text });
    expect(known).toEqual({ code: 0, stdout: addLines(text, "cart", "1-25-2"), stderr: "" });
  });

  it("leaves namespaces alone that meshroll.yml does not manage", async () => {
    const cwd = makeFolder({ "rollouts.yml": rollouts });
    for (const namespace of ["kube-system", "istio-system", "kube-public"]) {
      const text = writeDeployment("x", namespace);
      expect((await runCli(["mutate", "--strict"], { cwd, stdin: text })).stdout).toBe(text);
    }
  });

  it("records the spec's commit: of an unchanged checkout, and of --repo and --ref", async () => {
    const cwd = makeFolder({ "rollouts.yml": rollouts, "empty/x": "" });
    const git = (...args: readonly string[]) => execFileSync("git", ["-C", cwd, ...args], { encoding: "utf8" }).trim();
    git("init", "-q", "-b", "main");
    const commit = (text: string) => {
      execFileSync("bash", ["-c", `printf '%s' "$0" > rollouts.yml`, text], { cwd });
      git("add", "rollouts.yml");
      git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "spec");
      return git("rev-parse", "HEAD");
    };
    const first = commit(rollouts);
    const second = commit("production:\n  1-25-2: 100\n");
    const text = writeDeployment("cart", "shop");
    const here = await runCli(["mutate"], { cwd, env, stdin: text });
    expect(here.stdout).toContain(`meshroll.dev/spec-commit: "${second}"\n`);
    const call = { cwd: join(cwd, "empty"), env: { ...env, XDG_CACHE_HOME: makeFolder({}) }, stdin: text };
    const main = await runCli(["mutate", "--repo", cwd], call);
    expect(main).toEqual({ code: 0, stdout: here.stdout, stderr: "" });
    const older = await runCli(["mutate", "--repo", cwd, "--ref", first], call);
    expect(older.stdout).toContain(`meshroll.dev/spec-commit: "${first}"\n`);
    expect(older.stdout).toContain('istio.io/rev: "1-24-5"\n');
    execFileSync("bash", ["-c", "echo '# edited' >> rollouts.yml"], { cwd });
    expect((await runCli(["mutate"], { cwd, env, stdin: text })).stdout).not.toContain("spec-commit");
  });

  const refused: Record<
    string,
    { args?: readonly string[]; stdin?: string | readonly Uint8Array[]; code: number; want: string }
  > = {
    "malformed YAML, with its place": {
      stdin: `${stream}---\na: b\n  c: d\n`,
      code: 65,
      want: "(stdin):32:4: nested mappings",
    },
    "malformed JSON, with its place": {
      stdin: '{\n  "a": 1\n  "b": 2\n}',
      code: 65,
      want: "(stdin):3:3: `,` or `}` is missing",
    },
    "bytes that are no UTF-8": {
      stdin: [Buffer.from("a: b\nc: "), Buffer.from([0xff, 0xfe])],
      code: 65,
      want: "(stdin):2:4: not UTF-8",
    },
    "a file that does not exist": { args: ["-f", "nope.yaml"], code: 65, want: "nope.yaml: there is no such file" },
    "a folder without manifests": { args: ["-f", "empty"], code: 65, want: "empty: no file in it ends in" },
    "a good file next to a malformed one": { args: ["-w", "good.yaml", "bad.yaml"], code: 65, want: "bad.yaml:1:4: " },
    "rollouts that do not parse": { args: ["--file", "bad.yaml"], code: 65, want: "bad.yaml has" },
    "a namespace that cannot be one": { args: ["-n", "No"], code: 64, want: "`No` is not a namespace's name" },
    "--write of stdin": { args: ["-w"], code: 64, want: "--write has no file to write to" },
    "--check and --write": { args: ["-w", "--check", "good.yaml"], code: 64, want: "--check writes nothing" },
    "stdin twice": { args: ["--file", "-", "-f", "-"], code: 64, want: "can be read only once" },
    "a build time that is none": { code: 78, want: "SOURCE_DATE_EPOCH" },
  };

  it.each(Object.entries(refused))(
    "refuses %s, and writes nothing",
    async (name, { args = [], stdin = "", code, want }) => {
      const good = writeDeployment("cart", "shop");
      const cwd = makeFolder({
        "rollouts.yml": rollouts,
        "good.yaml": good,
        "bad.yaml": "a: b: c\n",
        "empty/x.txt": "",
      });
      const call = { cwd, stdin, env: { SOURCE_DATE_EPOCH: name.startsWith("a build time") ? "soon" : "0" } };
      const outcome = await runCli(["mutate", ...args], call);
      expect(outcome.code).toBe(code);
      expect(outcome.stdout).toBe("");
      expect(outcome.stderr).toContain(want);
      expect(readFileSync(join(cwd, "good.yaml"), "utf8")).toBe(good);
    },
  );
});
