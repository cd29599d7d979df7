import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { makeFolder, runCli } from "#test/run-cli";

const rollouts = `production:
  1-24-5: 100
".*-staging":
  1-24-5: 75
  1-25-2: 25
"payments-.*":
  1-24-5: 100
  1-25-2: 0
istio-e2e:
  1-25-2: 100
`;

describe("meshroll explain NAMESPACE", () => {
  it("says which bucket decides, which others match, when it moves and how to stay", async () => {
    const cwd = makeFolder({ "rollouts.yml": rollouts });
    const { code, stdout, stderr } = await runCli(["explain", "payments-api-staging"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`payments-api-staging → 1-24-5
  rollouts.yml:6:1  "payments-.*"  11 characters  ✔ longest match
  rollouts.yml:3:1  ".*-staging"   10 characters    matches, shorter
  rollouts.yml:1:1  production       for what matches nothing else
  reason    TARGETING_MATCH: payments-.* is 1-24-5: 100, 1-25-2: 0
  position  32.62 of 100
  moves     when payments-.* gives 1-25-2 more than 32.62 %
  opt out   meshroll pin payments-api-staging 1-24-5 --for 7d --reason "…"
`);
  });

  it("fits 80 columns, breaks no name or command, and indents continued lines", async () => {
    const name = `payments-${"ledger-reconciliation-".repeat(2)}staging`;
    const shares = "  1-24-5: 60\n  1-24-6-patched-by-security: 20\n  1-25-2-with-ambient-off: 20\n";
    const cwd = makeFolder({ "rollouts.yml": `production:\n  1-24-5: 100\n".*-reconciliation-staging":\n${shares}` });
    const { stdout } = await runCli(["explain", name], { cwd, isTTY: true });
    const lines = stdout.trimEnd().split("\n");
    const long = lines.filter((line) => line.length > 80).map((line) => line.trim().replace(/^opt out +/u, ""));
    expect(long).toEqual([`meshroll pin ${name} 1-25-2-with-ambient-off --for 7d --reason "…"`]);
    expect(stdout).toContain(
      "  reason    SPLIT: .*-reconciliation-staging is 1-24-5: 60,\n              1-24-6-patched-by-security: 20,",
    );
    const piped = await runCli(["explain", name], { cwd });
    expect(piped.stdout).toContain("1-24-5: 60, 1-24-6-patched-by-security: 20, 1-25-2-with-ambient-off: 20\n");
  });

  it("prints one line for scripts", async () => {
    const cwd = makeFolder({ "rollouts.yml": rollouts });
    const { stdout } = await runCli(["explain", "payments-api-staging", "-o", "short"], { cwd });
    expect(stdout).toBe("rollouts.yml:6:payments-.*\tpayments-api-staging\t1-24-5\n");
  });

  it("prints matches, ramp and selector as JSON", async () => {
    const cwd = makeFolder({ "rollouts.yml": rollouts, "meshroll.yml": "namespaces: {selector: team=a}\n" });
    const { stdout } = await runCli(["explain", "listings-staging", "-o", "json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      namespace: "listings-staging",
      reason: "SPLIT",
      file: "rollouts.yml",
      seed: "",
      matches: [
        {
          pattern: ".*-staging",
          line: 3,
          column: 1,
          characters: 10,
          shares: [
            { revision: "1-24-5", weight: 75 },
            { revision: "1-25-2", weight: 25 },
          ],
        },
        { pattern: "production", line: 1, column: 1 },
      ],
      ramp: { from: "1-24-5", to: "1-25-2", position: expect.any(Number) },
      unmanaged: "managed only while its labels meet namespaces.selector: team=a",
      pinned: false,
    });
  });

  it("says at which share a namespace moves back", async () => {
    const cwd = makeFolder({ "rollouts.yml": "production:\n  1-24-5: 1\n  1-25-2: 99\n" });
    const { stdout } = await runCli(["explain", "payments-api-staging"], { cwd });
    expect(stdout).toContain("moves     back to 1-24-5 when production gives 1-25-2 32.62 % or less\n");
  });

  const notes: readonly { note: string; name: string; text: string; wantText: RegExp }[] = [
    { note: "its pin", name: "istio-e2e", text: rollouts, wantText: /pinned {4}its own entry keeps it on 1-25-2/ },
    {
      note: "a namespace that is never managed",
      name: "kube-system",
      text: rollouts,
      wantText: /note {6}kube-system is never managed/,
    },
    {
      note: "kube-* namespaces",
      name: "kube-public",
      text: rollouts,
      wantText: /note {6}kube-\* namespaces are not managed/,
    },
    {
      note: "how to opt out",
      name: "a-staging",
      text: rollouts,
      wantText: /opt out {3}meshroll pin a-staging 1-24-5 --for 7d --reason "…"\n/,
    },
    {
      note: "a long pattern, on one line",
      name: "a",
      text: `${rollouts}"a|bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb":\n  x: 100\n`,
      wantText: /reason {4}TARGETING_MATCH: a\|b+ is x: 100\n$/,
    },
  ];
  it.each(notes)("explains $note ($name)", async ({ name, text, wantText }) => {
    const cwd = makeFolder({ "rollouts.yml": text });
    expect((await runCli(["explain", name], { cwd })).stdout).toMatch(wantText);
  });

  it("offers a pin that works when it is added", async () => {
    for (const name of ["a-staging", "payments-x", "production", "listings", "no", "007"]) {
      const cwd = makeFolder({ "rollouts.yml": rollouts });
      const before = JSON.parse((await runCli(["explain", name, "-o", "json"], { cwd })).stdout) as {
        pin: string;
        revision: string;
      };
      const pinned = makeFolder({ "rollouts.yml": rollouts + before.pin });
      expect((await runCli(["validate"], { cwd: pinned })).stdout).toContain("✔ rollouts.yml: 5 buckets");
      const { stdout } = await runCli(["explain", name, "-o", "json"], { cwd: pinned });
      expect(JSON.parse(stdout)).toMatchObject({ revision: before.revision, pinned: true });
    }
  });

  it.each(["Payments", "a.b", "MR12", "-a"])("refuses %s with 64", async (subject) => {
    const { code, stdout } = await runCli(["explain", "--", subject]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  });
});

describe("meshroll explain MRnnnn", () => {
  it("prints the section of each code that the documentation describes, and no other", async () => {
    const folder = new URL("../../docs/reference/", import.meta.url);
    const pages = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
    const codes = pages.flatMap((page) => Array.from(page.matchAll(/^#{2,3} (MR\d{4})/gm), ([, code = ""]) => code));
    expect(codes.length).toBeGreaterThan(9);
    for (const code of codes) {
      const { stdout } = await runCli(["explain", code]);
      expect(stdout.match(/^#{2,3} .*MR\d{4}/gm)).toEqual([expect.stringContaining(code)]);
    }
  });

  it("explains each code of a wait and what to do", async () => {
    const page = readFileSync(new URL("../../docs/reference/status.md", import.meta.url), "utf8");
    const codes = page.split("\n").flatMap((line) => {
      const [first = "", , fix] = line.split("|").slice(1, -1);
      return fix === undefined ? [] : Array.from(first.matchAll(/`([A-Z][A-Za-z]+)`/gu), ([, code = ""]) => code);
    });
    expect(codes.length).toBeGreaterThan(90);
    for (const code of codes) {
      const { code: exit, stdout } = await runCli(["explain", code]);
      expect({ exit, stdout }).toEqual({
        exit: 0,
        stdout: expect.stringMatching(/^\w+\n\n.+\n\nWhat to do: \S.+\n$/u),
      });
      expect(stdout).toContain(`${code}\n`);
    }
    expect((await runCli(["explain", "GateNoData"])).stdout).toContain("What to do: bring its source back");
  });

  it("refuses a code that does not exist", async () => {
    expect(await runCli(["explain", "GateNever"])).toMatchObject({ code: 64, stdout: "" });
    expect(await runCli(["explain", "MR9999"])).toMatchObject({ code: 64, stdout: "" });
  });
});
