import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

import { makeStop } from "#test/world/build";
import { instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it, onTestFinished } from "vitest";

import { gatherKnown, offerValues } from "./known-values.ts";
import type { ValueKind } from "./value-kinds.ts";

const files = {
  "campaigns/istio-1-25.yml":
    "metadata: { name: istio-1-25 }\nspec:\n  stages:\n    - { name: e2e, set: {} }\n    - name: prod-5\n      gates: [{ name: errors }]\n",
  "campaigns/istio-1-26.yaml": "metadata:\n  name: istio-1-26\nspec: {}\n",
  "campaigns/half-typed.yml": "metadata: { name: [\n",
  "campaigns/list.yml": "- a\n",
  // Completion in a stranger's clone must not execute its contents.
  "campaigns/evil.yml": 'metadata: { name: "$(touch pwned)" }\nspec: { stages: [{ name: "`id`" }, { name: "a b" }] }\n',
  "campaigns/README.md": "# Campaigns\n",
  "campaigns/done/old.yml": "metadata: { name: old }\n",
};

/** The port of a server that accepts connections and never writes. */
async function listenSilently(): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on("error", () => undefined)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe("completions at a place of a line", () => {
  const lines: readonly { readonly words: readonly string[]; readonly want: readonly string[] }[] = [
    { words: ["status", ""], want: ["istio-1-25", "istio-1-26"] },
    { words: ["status", "istio-1-26"], want: ["istio-1-26"] },
    { words: ["status", "-o", ""], want: ["human", "json", "sail", "yaml", "jsonpath="] },
    { words: ["status", "--tz", "UTC", "--plain", "istio-1-25"], want: ["istio-1-25"] },
    { words: ["status", "istio-1-25", ""], want: [] },
    { words: ["get", "st"], want: ["stages"] },
    { words: ["get", "stages", ""], want: ["istio-1-25", "istio-1-26"] },
    { words: ["plan", "--to", ""], want: ["e2e", "prod-5"] },
    { words: ["plan", "istio-1-26", "--to", ""], want: [] },
    { words: ["rollback", "istio-1-25", "--stage", "p"], want: ["prod-5"] },
    {
      words: ["wait", "istio-1-25", "--for", "stage=e"],
      want: ["Baked", "Completed", "Held"].map((s) => `stage=e2e=${s}`),
    },
    { words: ["pause", ""], want: ["all", "istio-1-25", "istio-1-26"] },
    { words: ["retry", ""], want: ["istio-1-25", "istio-1-26"] },
    { words: ["completion", "z"], want: ["zsh"] },
    { words: ["nonsense", ""], want: [] },
    { words: ["status"], want: [] },
    { words: [], want: [] },
  ];
  it.each(lines)("$words", async ({ words, want }) => {
    const { code, stdout, stderr } = await runCli(["__complete", ...words], { cwd: makeFolder(files) });
    expect({ code, stderr, offered: stdout.split("\n").filter(Boolean) }).toEqual({
      code: 0,
      stderr: "",
      offered: want,
    });
  });

  it("offers and prints nothing where there is no working copy", async () => {
    const answer = await runCli(["__complete", "status", ""], { cwd: makeFolder({}) });
    expect(answer).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  const namesOfFolder = { code: 0, stdout: "istio-1-25\nistio-1-26\n", stderr: "" };

  it("offers the folder's names when the bus refuses connections", async () => {
    const call = { cwd: makeFolder(files), env: { MESHROLL_NATS_URL: "nats://127.0.0.1:9" } };
    expect(await runCli(["__complete", "status", ""], call)).toEqual(namesOfFolder);
  });

  it("offers the folder's names where the bus accepts connections and never answers", async () => {
    const port = await listenSilently();
    const call = { cwd: makeFolder(files), env: { MESHROLL_NATS_URL: `nats://127.0.0.1:${port}` } };
    expect(await runCli(["__complete", "status", ""], call)).toEqual(namesOfFolder);
  });

  it("`__complete` is not listed in the help", async () => {
    expect((await runCli(["help"])).stdout).not.toContain("__complete");
  });
});

describe("completions from the planner's status", () => {
  const stops = { p: makeStop({ id: "pause-1", scope: "all", who: "ana", why: "5xx" }) };
  const known = gatherKnown(new Map([["local", ["a"]]]), statusOf(makeInstant({ stops })));
  const kinds: readonly { readonly kind: ValueKind; readonly named?: string; readonly want: readonly string[] }[] = [
    { kind: "campaign", want: ["local", "istio-1-25"] },
    { kind: "runOrCampaign", want: ["local", "istio-1-25", `run/${instantRun}`] },
    { kind: "stop", want: ["pause-1"] },
    { kind: "stage", named: "local", want: ["a"] },
  ];
  it.each(kinds)("$kind", ({ kind, named, want }) => {
    expect(offerValues(kind, known, named)).toEqual(want);
  });

  it("scopes are all, campaigns, clusters and runs", () => {
    const scopes = offerValues("scope", known, undefined);
    expect(scopes).toEqual(expect.arrayContaining(["all", "local", "cluster/prod-use1-a", `run/${instantRun}`]));
  });
});
