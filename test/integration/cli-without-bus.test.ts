import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { createModel, toModelClock } from "#fakes/kube";
import { openCluster } from "#libs/kube";
import { readRecordedStop } from "#libs/plan";
import { systemClock } from "#libs/runtime";
import { startKube } from "#sandbox/kube";
import { makeFolder, runCli } from "#test/run-cli";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { renderKubeconfig } from "../../sandbox/kube/kubeconfig.ts";

const names = ["prod-a", "prod-b"] as const;
const token = "token-of-ana";
/** A port without a listener. */
const deadBus = "nats://127.0.0.1:1";
const deadServer = "http://127.0.0.1:1";

const closers: (() => Promise<void>)[] = [];
const urls = new Map<string, string>();

beforeAll(async () => {
  for (const name of names) {
    const model = createModel({ clock: toModelClock(systemClock()), seed: name });
    model.addNamespace("meshroll-system");
    const server = await startKube({ model, name, token, user: "ana" });
    urls.set(name, server.url);
    closers.push(async () => server.close());
  }
});
afterAll(async () => {
  for (const close of closers) await close();
});

/** A kubeconfig with a context for each cluster, under another name than the cluster's. */
function writeKubeconfig(folder: string): string {
  const servers = [...names, "gone"].map((name) => ({
    name: `context-of-${name}`,
    url: urls.get(name) ?? deadServer,
    token,
  }));
  const path = join(folder, "kubeconfig");
  writeFileSync(path, renderKubeconfig(servers));
  return path;
}

const list = (...chosen: readonly string[]): string => chosen.map((name) => `${name}=context-of-${name}`).join(",");

async function meshroll(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const cwd = makeFolder({});
  writeKubeconfig(cwd);
  const base = { MESHROLL_NATS_URL: deadBus, USER: "ana", XDG_CACHE_HOME: cwd };
  return runCli([...args, "--reason", "a drill"], { cwd, env: { ...base, ...env } });
}

/** The entries of `meshroll-recorded-stops` in a cluster, as an executor reads them. */
async function readEntries(name: string): Promise<Readonly<Record<string, string>>> {
  const text = renderKubeconfig([{ name, url: urls.get(name) ?? deadServer, token }]);
  const cluster = openCluster({ name, kubeconfig: { text }, clock: systemClock() });
  const stop = new AbortController();
  await cluster.start(() => undefined, stop.signal);
  stop.abort();
  return cluster.view.facts().stops.recorded;
}

const direct = (...chosen: readonly string[]) => ["--kubeconfig", "kubeconfig", "--clusters", list(...chosen)];

describe("verbs while the bus is down", () => {
  test("7.4 pause writes the stop into each cluster by the caller's kubeconfig, and says that it is not recorded", async () => {
    const { code, stdout, stderr } = await meshroll(["pause", "all", "--for", "4h", ...direct(...names), "-o", "json"]);
    const { id, stopped } = JSON.parse(stdout) as { readonly id: string; readonly stopped: readonly unknown[] };
    for (const name of names) {
      const stop = readRecordedStop((await readEntries(name))[id] ?? "")?.stop;
      expect(stop).toMatchObject({ id, scope: "all", strength: "move", who: "ana", why: "a drill" });
      expect(stop?.until).toBeDefined();
    }
    expect(stopped).toHaveLength(2);
    expect(stderr).toContain("stopped in 2 of 2 clusters that were named, not recorded in the ledger yet");
    expect(code).toBe(69);
  });

  test("7.4 clusters that were not reached are named, with the command of last resort for each", async () => {
    const { code, stdout, stderr } = await meshroll(["pause", "all", ...direct("prod-a", "gone")]);
    expect(stdout).toMatch(/✔ stopped in prod-a {3}\d\.\d s\n/);
    expect(stdout).toContain("✖ gone was not reached: ");
    expect(stderr).toContain("stopped in 1 of 2 clusters; not reached: gone");
    expect(stderr).toMatch(
      /kubectl --kubeconfig \S+ --context context-of-gone -n meshroll-system create configmap meshroll-stop/,
    );
    expect(stderr).not.toContain("context-of-prod-a");
    expect(code).toBe(69);
  });

  test("a stop of one cluster is written into that cluster only; the executor's variable names the clusters", async () => {
    const before = Object.keys(await readEntries("prod-a"));
    const env = { MESHROLL_CLUSTERS: list(...names), MESHROLL_KUBECONFIG: "kubeconfig" };
    const { stdout } = await meshroll(["pause", "cluster/prod-b", "-o", "json"], env);
    const { id } = JSON.parse(stdout) as { readonly id: string };
    expect(Object.keys(await readEntries("prod-b"))).toContain(id);
    expect(Object.keys(await readEntries("prod-a"))).toEqual(before);
  });

  test("a dry run writes nothing", async () => {
    const before = Object.keys(await readEntries("prod-a"));
    const { code, stdout } = await meshroll(["pause", "all", ...direct(...names), "--dry-run"]);
    expect(stdout).toBe("would stop all through the kubeconfig, in prod-a, prod-b\n");
    expect(Object.keys(await readEntries("prod-a"))).toEqual(before);
    expect(code).toBe(69);
  });

  const refused: readonly { readonly args: readonly string[]; readonly wantErr: readonly RegExp[] }[] = [
    {
      args: ["pause", "all"],
      wantErr: [
        /nothing is stopped: no clusters are configured/,
        /kubectl -n meshroll-system create configmap meshroll-stop/,
      ],
    },
    { args: ["hold", "all"], wantErr: [/only the planner records holds/, /meshroll pause SCOPE/] },
    { args: ["resume", "all"], wantErr: [/^meshroll: NATS at 127.0.0.1:1 does not answer: (?!NATS)/] },
    {
      args: ["rollback", "run/0123456789ab", "-y"],
      wantErr: [
        /a rollback needs NATS, Redis and a planner/,
        /meshroll pause all --reason/,
        /git fetch origin && git switch -c meshroll\/rollback\/0123456789ab origin\/main && git revert/,
      ],
    },
  ];
  test("every other verb says what is down and what still works", async () => {
    const outcomes = await Promise.all(refused.map(async ({ args }) => meshroll(args)));
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      for (const text of refused[index]?.wantErr ?? []) expect(stderr).toMatch(text);
      expect({ code, stdout }).toEqual({ code: 69, stdout: "" });
    }
  });
});
