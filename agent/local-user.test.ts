import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { openDisk } from "./disk/real-disk.ts";
import { AlreadyRuns, holdLock } from "./lock/hold-lock.ts";
import { findProxies } from "./proxy/process-table.ts";
import { openProxies } from "./proxy/real-proxies.ts";
import { makePlaces } from "./slots/places.ts";
import { openFileTag } from "./tag/file-tag.ts";
import { makeTestFolder } from "./test-vm.ts";

/** Attacks by an unprivileged user of the VM, who has no rights in the agent's folders. */
describe("a local user of the VM", () => {
  it("starts a process that looks like the proxy: it is not taken for one, and the real one is", async () => {
    const root = makeTestFolder();
    const digest = "a".repeat(64);
    const names = { MESHROLL_AGENT_ROOT: root, MESHROLL_ARTIFACT: digest, MESHROLL_RESTART_EPOCH: "0" };
    const forged = ["", "0".repeat(64), "undefined"].map((mark) =>
      spawn("sleep", ["60"], { detached: true, env: { ...process.env, ...names, MESHROLL_AGENT_MARK: mark } }),
    );
    onTestFinished(() => forged.forEach((each) => void each.kill("SIGKILL")));
    await Promise.all(forged.map(async (each) => once(each, "spawn")));
    expect(await findProxies(root)).toEqual([]);

    const folder = join(root, "slot");
    mkdirSync(folder);
    writeFileSync(join(folder, "start"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
    const proxies = openProxies({ root, readyUrl: "http://127.0.0.1:1/", baseId: 0, drainMs: 100 });
    const launch = { digest, folder, start: "start", revision: "1-25-2", discoveryAddress: "a:1", epoch: 0 };
    await proxies.launch(launch);
    const [proxy, ...others] = await proxies.list();
    onTestFinished(async () => (proxy === undefined ? undefined : proxies.stop(proxy)));
    expect(others).toEqual([]);
    expect(forged.map(({ pid }) => pid)).not.toContain(proxy?.pid);
    expect(statSync(makePlaces(root).mark).mode & 0o777).toBe(0o600);
    expect(readFileSync(makePlaces(root).mark, "utf8")).toMatch(/^[0-9a-f]{64}$/);
  });

  it("occupies the name of an agent's lock: the agent starts all the same", async () => {
    const root = makeTestFolder();
    const name = createHash("sha256").update(root).digest("hex").slice(0, 32);
    const stranger = createServer().listen({ path: `\0meshroll-agent-${name}` });
    await once(stranger, "listening");
    onTestFinished(() => void stranger.close());
    const letGo = await holdLock(root);
    await expect(holdLock(root)).rejects.toThrow(AlreadyRuns);
    await letGo();
    await (
      await holdLock(root)
    )();
  });

  it("never finds two agents of one root, however many start at once, and a later one can start", async () => {
    const root = makeTestFolder();
    for (let round = 0; round < 20; round += 1) {
      const all = await Promise.allSettled(Array.from({ length: 5 }, async () => holdLock(root)));
      const held = all.filter((each) => each.status === "fulfilled");
      expect(held.length).toBeLessThanOrEqual(1);
      for (const { value } of held) await value();
    }
    const letGo = await holdLock(root);
    await letGo();
  });

  it.each([
    {
      name: "is a pipe without a writer",
      put: (path: string) => void execFileSync("bash", ["-c", 'mkfifo "$0"', path]),
      want: "is not a file",
    },
    {
      name: "is a link to another file",
      put: (path: string) => symlinkSync("/etc/hostname", path),
      want: "is not a file",
    },
    { name: "is a link to all zeros", put: (path: string) => symlinkSync("/dev/zero", path), want: "is not a file" },
    {
      name: "is too long",
      put: (path: string) => writeFileSync(path, "1".repeat(5000)),
      want: "is not a file of at most 4096 bytes",
    },
    {
      name: "may be written by every user",
      put: (path: string) => {
        writeFileSync(path, "1-25-2\n");
        chmodSync(path, 0o666);
      },
      want: "every user of this machine may write",
    },
    {
      name: "lies where every user may put another one",
      put: (path: string) => {
        writeFileSync(path, "1-25-2\n");
        chmodSync(dirname(path), 0o1777);
      },
      want: "every user of this machine may write",
    },
  ])("whose tag $name is not followed, and not waited for", async ({ put, want }) => {
    const path = join(makeTestFolder(), "tag");
    put(path);
    expect(await openFileTag(openDisk(), path).read()).toEqual({
      kind: "unknown",
      why: expect.stringContaining(want) as string,
    });
  });
});
