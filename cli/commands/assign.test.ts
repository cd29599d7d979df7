import { describe, expect, it } from "vitest";

import { makeFolder, runCli } from "#test/run-cli";

const split = 'production:\n  1-24-5: 100\n".*-staging":\n  1-24-5: 75\n  1-25-2: 25\nistio-e2e:\n  1-25-2: 100\n';

const names = ["payments-api-staging", "istio-e2e", "listings"];

describe("meshroll assign", () => {
  it("prints namespace, bucket as written and revision for each line, in order", async () => {
    const cwd = makeFolder({ "rollouts.yml": split });
    expect(await runCli(["assign"], { cwd, stdin: names.join("\n") })).toEqual({
      code: 0,
      stdout: "payments-api-staging\t.*-staging\t1-24-5\nistio-e2e\tistio-e2e\t1-25-2\nlistings\tproduction\t1-24-5\n",
      stderr: "",
    });
  });

  it("takes names from arguments, from a file, and as kubectl prints them", async () => {
    const cwd = makeFolder({ "rollouts.yml": split, "names.txt": "namespace/listings\r\n\r\nistio-e2e" });
    const want = "listings\tproduction\t1-24-5\nistio-e2e\tistio-e2e\t1-25-2\n";
    expect((await runCli(["assign", "listings", "istio-e2e"], { cwd })).stdout).toBe(want);
    expect((await runCli(["assign", "-f", "names.txt"], { cwd })).stdout).toBe(want);
  });

  it("reads names that are split between two chunks", async () => {
    const cwd = makeFolder({ "rollouts.yml": split });
    const whole = await runCli(["assign"], { cwd, stdin: `${names.join("\n")}\n` });
    const chunks = `${names.join("\n")}\n`.split("");
    expect(await runCli(["assign"], { cwd, stdin: chunks })).toEqual(whole);
  });

  it("prints one JSON document, also for no namespaces at all", async () => {
    const cwd = makeFolder({ "rollouts.yml": split });
    const { stdout } = await runCli(["assign", "-o", "json"], { cwd, stdin: ["listings\n", "istio-e2e\n"] });
    const head = { apiVersion: "meshroll.dev/v1", kind: "Assignments" };
    expect(JSON.parse(stdout)).toEqual({
      ...head,
      assignments: [
        { namespace: "listings", bucket: "production", revision: "1-24-5" },
        { namespace: "istio-e2e", bucket: "istio-e2e", revision: "1-25-2" },
      ],
    });
    expect(JSON.parse((await runCli(["assign", "-o", "json"], { cwd })).stdout)).toEqual({ ...head, assignments: [] });
  });

  it("reports each invalid line, answers every valid one, and ends with 65", async () => {
    const cwd = makeFolder({ "rollouts.yml": split });
    const bad = ["Upper", "-dash", "dash-", "a.b", "a b", "é", "x".repeat(64), `y${"y".repeat(100_000)}`];
    const { code, stdout, stderr } = await runCli(["assign"], {
      cwd,
      stdin: ["listings\n", `${bad.join("\n")}\nlistings\n`],
    });
    expect({ code, stdout }).toEqual({ code: 65, stdout: "listings\tproduction\t1-24-5\n".repeat(2) });
    expect(
      stderr
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" ")[0]),
    ).toEqual(bad.map((_, index) => `(stdin):${index + 2}:`));
  });

  it("answers nothing from a file with errors, which go to stderr", async () => {
    const cwd = makeFolder({ "rollouts.yml": "production:\n  1-24-5: 99\n" });
    const { code, stdout, stderr } = await runCli(["assign", "listings"], { cwd });
    expect({ code, stdout }).toEqual({ code: 65, stdout: "" });
    expect(stderr).toContain("error[MR1004]");
    expect(stderr).toContain("rollouts.yml has 1 error, so it cannot be used");
  });

  it("refuses files that are missing, with the option that names them", async () => {
    const cwd = makeFolder({ "rollouts.yml": split });
    const cases = [
      { args: ["--file", "no.yml"], wantText: "no.yml: there is no such file\n  give the rollouts file with --file" },
      {
        args: ["--settings", "no.yml"],
        wantText: "no.yml: there is no such file\n  give the settings file with --settings",
      },
      { args: ["-f", "no.txt"], wantText: "no.txt cannot be read: " },
    ];
    for (const { args, wantText } of cases) {
      const { code, stderr } = await runCli(["assign", ...args], { cwd });
      expect(code).toBe(65);
      expect(stderr).toContain(wantText);
    }
  });

  it("refuses to read rollouts and namespaces both from stdin", async () => {
    const { code, stderr } = await runCli(["assign", "--file", "-"]);
    expect(code).toBe(64);
    expect(stderr).toContain("can be read only once");
  });

  it("takes the seed from --seed, then --settings, then the meshroll.yml next to it, then none", async () => {
    const settings = "assignment: {seed: 2026q4}\n";
    const cwd = makeFolder({ "rollouts.yml": split, "other.yml": "assignment: {seed: other}\n" });
    const staging = Array.from({ length: 60 }, (_, index) => `ns-${index}-staging`).join("\n");
    const assign = async (folder: string, ...args: string[]): Promise<string> =>
      (await runCli(["assign", ...args], { cwd: folder, stdin: staging })).stdout;
    const seededFolder = makeFolder({
      "rollouts.yml": split,
      "meshroll.yml": settings,
      "other.yml": "assignment: {seed: other}\n",
    });
    const seeded = await assign(cwd, "--seed", "2026q4");
    expect(await assign(seededFolder)).toBe(seeded);
    expect(await assign(seededFolder, "--seed", "")).toBe(await assign(cwd));
    expect(await assign(cwd)).not.toBe(seeded);
    expect(await assign(cwd, "--settings", "other.yml")).toBe(await assign(cwd, "--seed", "other"));
    expect(await assign(seededFolder, "--settings", "other.yml", "--seed", "2026q4")).toBe(seeded);
  });

  it("refuses settings with errors even when --seed is given", async () => {
    const cwd = makeFolder({ "rollouts.yml": split, "meshroll.yml": "seed: a\n" });
    const { code, stderr } = await runCli(["assign", "--seed", "a", "listings"], { cwd });
    expect(code).toBe(65);
    expect(stderr).toContain("error[MR3001]");
  });
});
