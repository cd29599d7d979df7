import { readJoinToken } from "#libs/vms";
import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

const key = "5f0c2f4bd9e1a7c3b6d8e2f1a4c7b9d0";
const group = { cluster: "east", namespace: "shop", name: "web.v1" };
const hour = 3_600_000;

async function meshroll(line: string, env: Readonly<Record<string, string>> = { MESHROLL_API_VM_KEY: key }) {
  const cwd = makeFolder({ "key.txt": `${key}\n`, "short.txt": "abc\n", "empty.txt": "" });
  return runCli(["vms", ...line.split(" ")], { cwd, env });
}

describe("meshroll vms token", () => {
  const good = [
    { name: "for a day, with the key of the environment", line: "token east/shop/web.v1", wantHours: 24 },
    { name: "for as long as it is told", line: "token east/shop/web.v1 --ttl 90d", wantHours: 90 * 24 },
    {
      name: "with the key of a file",
      line: "token east/shop/web.v1 --ttl 1h --key-file key.txt",
      env: {},
      wantHours: 1,
    },
  ];
  it.each(good)("prints a token $name", async ({ line, env, wantHours }) => {
    const before = Date.now();
    const { code, stdout } = await meshroll(line, env);
    expect(code).toBe(0);
    const grant = readJoinToken([key], stdout.trim());
    expect(grant?.group).toEqual(group);
    expect(grant?.expires).toBeGreaterThanOrEqual(before + wantHours * hour);
    expect(grant?.expires).toBeLessThanOrEqual(Date.now() + wantHours * hour);
  });

  it("prints it as JSON, with its end", async () => {
    const { stdout } = await meshroll("token east/shop/web.v1 -o json");
    const read = JSON.parse(stdout) as { readonly token: string; readonly expires: string };
    expect(read).toMatchObject({ kind: "JoinToken", ...group });
    expect(readJoinToken([key], read.token)?.expires).toBe(Date.parse(read.expires));
  });

  const bad = [
    { name: "no key", line: "token east/shop/web", env: {}, want: 78, says: "set MESHROLL_API_VM_KEY" },
    { name: "a short key", line: "token east/shop/web --key-file short.txt", want: 78, says: "openssl rand -hex 32" },
    { name: "an empty file", line: "token east/shop/web --key-file empty.txt", want: 78, says: "--key-file is empty" },
    { name: "no such file", line: "token east/shop/web --key-file none.txt", want: 65, says: "none.txt" },
    { name: "no group", line: "token east/shop", want: 64, says: "CLUSTER/NAMESPACE/GROUP" },
    { name: "a group of four parts", line: "token east/shop/web/vm", want: 64, says: "CLUSTER/NAMESPACE/GROUP" },
    { name: "a name with a star", line: "token east/*/web", want: 64, says: "CLUSTER/NAMESPACE/GROUP" },
    { name: "no time", line: "token east/shop/web --ttl 24", want: 64, says: "with its unit" },
    { name: "two years", line: "token east/shop/web --ttl 730d", want: 64, says: "at most 366d" },
  ];
  it.each(bad)("$name ends with $want and says what to do", async ({ line, env, want, says }) => {
    const { code, stdout, stderr } = await meshroll(line, env);
    expect({ code, stdout }).toEqual({ code: want, stdout: "" });
    expect(stderr.replaceAll(/\s+/gu, " ")).toContain(says);
  });
});
