import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";

import { makeFolder } from "#test/run-cli";
import { describe, expect, it } from "vitest";

import { chooseClusters, type ClusterChoice, type DirectOptions, nameLastResort } from "./cluster-choice.ts";
import { findBus } from "../read/with-bus.ts";
import type { Terminal } from "../terminal/terminal.ts";

function makeTerminal(cwd: string, env: Readonly<Record<string, string>> = {}): Terminal {
  return { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), cwd, env };
}

interface Case {
  readonly name: string;
  readonly options?: DirectOptions;
  readonly env?: Readonly<Record<string, string>>;
  readonly want: readonly ClusterChoice[];
}

const cases: readonly Case[] = [
  { name: "neither clusters nor a kubeconfig", want: [] },
  {
    name: "a kubeconfig alone names none, because its contexts may be of other clusters",
    options: { kubeconfig: "/k" },
    want: [],
  },
  {
    name: "names with contexts, an ARN among them",
    options: { kubeconfig: "/k", clusters: "prod-a=arn:aws:eks:a=1, prod-b" },
    want: [
      { name: "prod-a", context: "arn:aws:eks:a=1", path: "/k" },
      { name: "prod-b", path: "/k" },
    ],
  },
  {
    name: "the executor's variables",
    env: { MESHROLL_CLUSTERS: "prod-a", MESHROLL_KUBECONFIG: "/e", KUBECONFIG: "/k" },
    want: [{ name: "prod-a", path: "/e" }],
  },
  {
    name: "a list of kubeconfigs is left to kubectl's own rules",
    options: { clusters: "prod-a=a" },
    env: { KUBECONFIG: "/k:/l" },
    want: [{ name: "prod-a", context: "a" }],
  },
];

describe("the clusters that a person reaches without the bus", () => {
  it.each(cases)("$name", ({ options = {}, env = {}, want }) => {
    expect(chooseClusters(options, makeTerminal(makeFolder({}), env))).toEqual(want);
  });

  it("ignores a kubeconfig in the working folder, which may be a hostile checkout", () => {
    const connection = { pid: process.pid, kubeconfig: "kubeconfig", natsUrl: "nats://evil", githubUrl: "http://evil" };
    const cwd = makeFolder({ kubeconfig: "contexts:\n  - name: prod-a\n" });
    mkdirSync(join(cwd, ".demo"));
    writeFileSync(join(cwd, ".demo", "connection.json"), JSON.stringify(connection));
    expect(chooseClusters({}, makeTerminal(cwd))).toEqual([]);
    expect(findBus({}, makeTerminal(cwd))).toBeUndefined();
  });

  it("refuses an invalid cluster name", () => {
    expect(() => chooseClusters({ clusters: "Prod A" }, makeTerminal("/"))).toThrow(/"Prod A" is not the name/);
  });

  it("names the command of last resort for each", () => {
    const command = "-n meshroll-system create configmap meshroll-stop";
    expect(nameLastResort([])).toEqual([`kubectl ${command}`]);
    expect(nameLastResort([{ name: "a", context: "x", path: "/k" }, { name: "b" }])).toEqual([
      `kubectl --kubeconfig /k --context x ${command}`,
      `kubectl --context b ${command}`,
    ]);
  });
});
