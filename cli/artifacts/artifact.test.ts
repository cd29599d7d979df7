import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

const files = { "start.sh": "#!/bin/sh\nexec sleep 1000\n", "rules.sh": "#!/bin/sh\n" };

async function openStore() {
  const cwd = makeFolder(files);
  const meshroll = async (line: string) => runCli(["artifact", ...line.split(" ")], { cwd });
  await meshroll("keys --keys keys");
  return { cwd, meshroll };
}

const build = "build --store store --discovery-address istiod:15012 --file start=start.sh --revision";

/** A checkout's files may have any mode, so the mode is set here. */
async function openBuilt() {
  const opened = await openStore();
  for (const name of Object.keys(files)) chmodSync(join(opened.cwd, name), 0o755);
  expect(await opened.meshroll(`${build} 1-25-2`)).toMatchObject({ code: 0 });
  expect(await opened.meshroll("sign --store store --keys keys")).toMatchObject({
    code: 0,
    stdout: "1-25-2/linux-x64.json\n",
  });
  return opened;
}

const verify = "verify --store store --root store/metadata/1.root.json";

describe("meshroll artifact", () => {
  it("builds, signs and verifies what an agent installs", async () => {
    const { meshroll } = await openBuilt();
    const { code, stdout } = await meshroll(verify);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^✔ 1-25-2\tlinux-x64\t[0-9a-f]{12}\n$/) as string,
    });
  });

  it("writes private keys readable only for their owner, and overwrites none", async () => {
    const { cwd, meshroll } = await openStore();
    expect(statSync(join(cwd, "keys/root.pem")).mode & 0o077).toBe(0);
    const before = readFileSync(join(cwd, "keys/root.pem"), "utf8");
    expect(await meshroll("keys --keys keys")).toMatchObject({ code: 83 });
    expect(readFileSync(join(cwd, "keys/root.pem"), "utf8")).toBe(before);
  });

  it("names a changed artifact and ends with 65", async () => {
    const { cwd, meshroll } = await openBuilt();
    const [name = ""] = readdirSync(join(cwd, "store/files"));
    writeFileSync(join(cwd, "store/files", name), "#!/bin/sh\nexec slaap 1000\n");
    expect(await meshroll(verify)).toMatchObject({
      code: 65,
      stdout: expect.stringContaining("start has other bytes") as string,
    });
  });

  it("renews the timestamp with only its own key", async () => {
    const { cwd, meshroll } = await openBuilt();
    const alone = makeFolder({ "timestamp.pem": readFileSync(join(cwd, "keys/timestamp.pem"), "utf8") });
    expect(await meshroll(`sign --store store --keys ${alone} --only-timestamp`)).toMatchObject({ code: 0 });
    expect(await meshroll(verify)).toMatchObject({ code: 0 });
  });

  it("rotates keys: an agent that knows only the first root follows to the newest", async () => {
    const { meshroll } = await openBuilt();
    await meshroll("keys --keys next --root-keys 3");
    expect(await meshroll("sign --store store --keys next --threshold 2 --old-keys keys")).toMatchObject({ code: 0 });
    expect(await meshroll(verify)).toMatchObject({ code: 0 });
    const { code, stderr } = await meshroll("sign --store store --keys keys");
    expect(code).toBe(83);
    expect(stderr).toContain("no key for targets is one that root 2 names");
  });

  it("makes no root that the previous one does not sign", async () => {
    const { cwd, meshroll } = await openBuilt();
    await meshroll("keys --keys strangers");
    const { code, stderr } = await meshroll("sign --store store --keys strangers --old-keys strangers");
    expect({ code, stderr }).toEqual({
      code: 83,
      stderr: expect.stringContaining("root 1 does not vouch for it") as string,
    });
    expect(readdirSync(join(cwd, "store/metadata"))).not.toContain("2.root.json");
  });

  it.each([
    {
      line: "build --store store --discovery-address istiod:15012 --file start=start.sh",
      want: "--revision is needed",
      code: 64,
    },
    { line: `${build} ../x`, want: "revision is not the name of a revision", code: 65 },
    { line: `${build} 1-25-2 --start other`, want: "other is not among its executable files", code: 65 },
    { line: "verify --store http://example.com --root start.sh", want: "by https://", code: 64 },
    { line: "sign --store store --keys none", want: "not a folder with keys", code: 83 },
  ])("refuses $line", async ({ line, want, code }) => {
    const { meshroll } = await openStore();
    const outcome = await meshroll(line);
    expect({ code: outcome.code, said: outcome.stderr }).toEqual({
      code,
      said: expect.stringContaining(want) as string,
    });
  });
});
