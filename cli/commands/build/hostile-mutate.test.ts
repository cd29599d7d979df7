import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

import { readInputs } from "../../manifests/read-inputs.ts";
import { writeFiles } from "../../manifests/write-outputs.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const spec = { "rollouts.yml": "production:\n  1-24-5: 100\n" };
const env = { SOURCE_DATE_EPOCH: "1795514400" };

function writePod(name: string): string {
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  namespace: shop\n`;
}

function repeat(times: number, line: (at: number) => string): string {
  return Array.from({ length: times }, (_, at) => `${line(at)}\n`).join("");
}

/** Each anchor contains the one before it twice; the last one is used in a workload. */
function nest(name: string, form: string, depth: number): string {
  const one = (at: number): string => form.replaceAll("*", at === 0 ? "x" : `*${name}${at - 1}`);
  const anchors = repeat(depth, (at) => `${name}${at}: &${name}${at} ${one(at)}`);
  return `${anchors}kind: List\nitems: [*${name}${depth - 1}]\n`;
}

describe("mutate of a hostile checkout", () => {
  const outside: Record<string, (cwd: string, other: string) => string> = {
    "a link to a file": (cwd, other) => {
      symlinkSync(join(other, "pod.yaml"), join(cwd, "pod.yaml"));
      return "pod.yaml";
    },
    "a link to a folder": (cwd, other) => {
      symlinkSync(other, join(cwd, "k8s"));
      return "k8s";
    },
    "a file below a link": (cwd, other) => {
      symlinkSync(other, join(cwd, "k8s"));
      return "k8s/pod.yaml";
    },
  };
  it.each(Object.entries(outside))("--write through %s that leads out of it is refused", async (_, plant) => {
    const [cwd, other] = [makeFolder(spec), makeFolder({ "pod.yaml": writePod("a") })];
    const { code, stderr } = await runCli(["mutate", "--write", plant(cwd, other)], { cwd, env });
    expect({ code, stderr }).toEqual({
      code: 83,
      stderr: expect.stringContaining("is a link out of this folder") as string,
    });
    expect(readFileSync(join(other, "pod.yaml"), "utf8")).toBe(writePod("a"));
  });

  const others: Record<string, Readonly<Record<string, string>>> = {
    "a submodule": { "sub/.git": "gitdir: ../.git/modules/sub\n" },
    "a clone within it": { "sub/.git/HEAD": "ref: refs/heads/main\n" },
  };
  it.each(Object.entries(others))("--write into %s is refused, and then nothing is written", async (_, marks) => {
    const files = { "pod.yaml": writePod("a"), "sub/k8s/pod.yaml": writePod("b") };
    const cwd = makeFolder({ ...spec, ".git/HEAD": "ref: refs/heads/main\n", ...files, ...marks });
    symlinkSync("sub/k8s", join(cwd, "k8s"));
    const call = { cwd, env: { ...env, XDG_CACHE_HOME: makeFolder({}) } };
    for (const paths of [["."], ["pod.yaml", "sub"], ["pod.yaml", "sub/k8s/pod.yaml"], ["pod.yaml", "k8s"]]) {
      const { code, stderr } = await runCli(["mutate", "--write", "--spec-commit", "x", ...paths], call);
      expect([code, stderr]).toEqual([83, expect.stringContaining("belongs to another repository, sub")]);
    }
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(cwd, path), "utf8")).toBe(text);
  });

  it("--write into a clone works where the folder is not a checkout, or is the clone itself", async () => {
    const files = { "clone/pod.yaml": writePod("a"), "clone/.git/HEAD": "ref: refs/heads/main\n" };
    const cwd = makeFolder({ ...spec, ...files });
    const mutate = ["mutate", "--write", "--spec-commit", "x", "--file"];
    expect(await runCli([...mutate, "rollouts.yml", "clone"], { cwd, env })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "clone/pod.yaml"), "utf8")).toContain("istio.io/rev");
    writeFileSync(join(cwd, "clone/pod.yaml"), writePod("a"));
    const within = { cwd: join(cwd, "clone"), env };
    expect(await runCli([...mutate, "../rollouts.yml", "pod.yaml"], within)).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "clone/pod.yaml"), "utf8")).toContain("istio.io/rev");
  });

  it("--write through a link inside the folder changes the file and keeps the link", async () => {
    const cwd = makeFolder({ ...spec, "base/pod.yaml": writePod("a") });
    symlinkSync("base/pod.yaml", join(cwd, "pod.yaml"));
    expect(await runCli(["mutate", "--write", "pod.yaml"], { cwd, env })).toMatchObject({ code: 0, stderr: "" });
    expect(lstatSync(join(cwd, "pod.yaml")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, "base/pod.yaml"), "utf8")).toContain("istio.io/rev");
  });

  it.each([0o600, 0o640, 0o664, 0o666, 0o755])(
    "--write keeps the mode %o of a file, whatever the umask is",
    async (mode) => {
      const cwd = makeFolder({ ...spec, "pod.yaml": writePod("a") });
      chmodSync(join(cwd, "pod.yaml"), mode);
      expect((await runCli(["mutate", "--write", "pod.yaml"], { cwd, env })).code).toBe(0);
      expect((statSync(join(cwd, "pod.yaml")).mode & 0o7777).toString(8)).toBe(mode.toString(8));
    },
  );

  it("--write does not overwrite a file that changed since it was read", async () => {
    const cwd = makeFolder({ "pod.yaml": writePod("a") });
    const terminal = { cwd, env: {} } as unknown as Terminal;
    const [input] = await readInputs(["pod.yaml"], terminal);
    if (input === undefined) throw new Error("nothing was read");
    writeFileSync(join(cwd, "pod.yaml"), writePod("b"));
    const mutated = { edits: [{ start: 0, end: 0, text: "# changed\n" }], outcomes: [] };
    expect(() => writeFiles([{ input, mutated }], terminal)).toThrow("was changed while it was read");
    expect(readFileSync(join(cwd, "pod.yaml"), "utf8")).toBe(writePod("b"));
  });

  it("a name with line ends and control characters is printed as one line, without commands for CI", async () => {
    const name = `"x\\n::stop-commands::y\\n\\e[2J\\e]0;title\\a"`;
    const files = { ...spec, "k8s/a\n::error::b.yaml": writePod("a"), "k8s/b.yaml": writePod(name) };
    const cwd = makeFolder(files);
    const { stdout, stderr } = await runCli(["mutate", "--check", "k8s"], { cwd, env });
    expect(`${stdout}${stderr}`.split("\n").filter((line) => line.startsWith("::"))).toEqual([]);
    // eslint-disable-next-line no-control-regex -- a terminal would obey them
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    mkdirSync(join(cwd, "k8s/c"));
    writeFileSync(join(cwd, "k8s/c/\n::error::d.yaml"), "a: b: c\n");
    const broken = await runCli(["mutate", "--check", "k8s/c"], { cwd, env });
    expect(broken.code).toBe(65);
    expect(broken.stderr.split("\n").filter((line) => line.startsWith("::"))).toEqual([]);
  });

  it.each([
    ["--repo", "--upload-pack=touch ran;false"],
    ["--repo", "-oProxyCommand=touch ran"],
    ["--repo", "ssh://-oProxyCommand=touch ran/x"],
    ["--repo", "ext::sh -c touch% ran"],
    ["--ref", "--output=ran"],
    ["--ref", "--upload-pack=touch ran"],
    ["--ref", "main:../../ran"],
  ])("%s %s runs and writes nothing", async (flag, value) => {
    const cwd = makeFolder({ ...spec, "pod.yaml": writePod("a") });
    const call = { cwd, env: { ...env, XDG_CACHE_HOME: makeFolder({}) } };
    const repo = flag === "--repo" ? [] : [`--repo=${cwd}`];
    const { code, stdout } = await runCli(["mutate", ...repo, `${flag}=${value}`, "pod.yaml"], call);
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe("");
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  const bombs: Record<string, { readonly text: string; readonly want: number }> = {
    "aliases of aliases": { text: nest("a", "[*, *]", 60), want: 0 },
    "lists of aliases of lists": { text: nest("l", "{kind: List, items: [*, *]}", 60), want: 65 },
    "100,000 aliases of one anchor": { text: `a: &a {b: c}\nd: [${"*a, ".repeat(100_000)}]\n`, want: 0 },
    "20,000 merges of one anchor": { text: `a: &a {b: c}\n${repeat(20_000, (at) => `k${at}: {<<: *a}`)}`, want: 0 },
    "20,000 documents": { text: "---\n".repeat(20_000), want: 0 },
    "a million blanks": { text: `a: ${" ".repeat(1_000_000)}b\n`, want: 0 },
    "10,000 open brackets": { text: `a: ${"[".repeat(10_000)}`, want: 65 },
    "10,000 open maps of JSON": { text: '{"a":'.repeat(10_000), want: 65 },
    "20,000 keys": { text: repeat(20_000, (at) => `k${at}: v`), want: 0 },
    "a million quotes": { text: `a: "${'\\"'.repeat(1_000_000)}"\n`, want: 0 },
    "5,000 tags": { text: `a: ${"!x ".repeat(5_000)}b\n`, want: 65 },
  };
  it.each(Object.entries(bombs))("%s are read or refused at once", async (_, { text, want }) => {
    const cwd = makeFolder(spec);
    const used = process.cpuUsage();
    const { code } = await runCli(["mutate"], { cwd, env, stdin: text });
    const { user, system } = process.cpuUsage(used);
    expect(code).toBe(want);
    expect((user + system) / 1_000_000).toBeLessThan(10);
  });
});
