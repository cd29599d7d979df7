import { readdirSync, readFileSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";

import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, test } from "vitest";

import { loadProgram } from "./program.ts";
import { openSession } from "./terminal/session.ts";

async function loadCommands() {
  const env = { XDG_CONFIG_HOME: makeFolder({}) };
  const session = openSession({
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    cwd: makeFolder({}),
    env,
  });
  const { terminal } = session;
  const program = await loadProgram({ terminal, session, finish: () => undefined, loadProgram: async () => program });
  return program.commands;
}

/** The code of the command line without texts and comments: an option's name that is left there is read by code. */
function readCode(): string {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(`${folder}/${name}`, "utf8"))
    .join("\n")
    .replaceAll(/\/\*\*[^]*?\*\/|\/\/.*$|"[^"\n]*"/gmu, "")
    .replaceAll(/^\s*readonly \w+\??:.*$/gmu, "");
}

test("the code of each command reads each of its flags", async () => {
  const code = readCode();
  const options = (await loadCommands()).flatMap((command) =>
    command.options.map((option) => ({ flag: `${command.name()} ${option.flags}`, name: option.attributeName() })),
  );
  expect(options.length).toBeGreaterThan(100);
  // `status -n` exists only to be refused with a hint.
  const refused = ["status -n, --namespace <name>"];
  const unread = options.filter(
    ({ flag, name }) => !refused.includes(flag) && !new RegExp(String.raw`[.{,]\s*${name}\b`, "u").test(code),
  );
  expect(unread).toEqual([]);
});

describe("a flag without effect is refused before any request", () => {
  const both = ["--nats", "nats://127.0.0.1:1", "--kubeconfig", "k"];
  const fleet = ["--fleet", "fleet.json"];
  const cases: readonly { readonly args: readonly string[]; readonly says: string }[] = [
    { args: ["status", "-o", "sail", "-w"], says: "--watch with -o sail would do nothing" },
    { args: ["status", "-o", "sail", "--plain"], says: "--plain with -o sail would do nothing" },
    { args: ["status", "-n", "shop"], says: "meshroll explain NAMESPACE" },
    { args: ["status", "istio-1-25", "--cluster", "one"], says: "meshroll status --cluster NAME" },
    { args: ["status", "-o", "sail", "--cluster", "one"], says: "meshroll status --cluster NAME" },
    { args: ["status", ...both], says: "--nats and --kubeconfig name two places to read what runs from" },
    { args: ["watch", ...both], says: "two places" },
    { args: ["get", "workloads", ...both], says: "two places" },
    { args: ["explain", "a", ...both], says: "two places" },
    { args: ["status", "--clusters", "one"], says: "--clusters chooses contexts of a kubeconfig, and none is given" },
    { args: ["get", "fleet", "-o", "json", "-w"], says: "--watch with fleet would do nothing" },
    { args: ["get", "fleet", "one", "-o", "json"], says: "get fleet takes no name" },
    { args: ["get", "campaigns", "-n", "a"], says: "campaigns cannot be listed by --namespace" },
    { args: ["plan", "--from", "a", "--show", "moves"], says: "--show would do nothing here" },
    { args: ["plan", "pull/12", "--tz", "UTC"], says: "--tz would do nothing here" },
    { args: ["plan", "x", "--show", "moves", "-o", "json"], says: "--show would do nothing: -o json has all lists" },
    { args: ["plan", "pull/12", "--to", "b"], says: "--to would do nothing" },
    { args: ["plan", "x", ...fleet, "--nats", "n"], says: "cannot be used with option" },
    { args: ["explain", "MR1004", "--repo", "x", "--tz", "UTC"], says: "--repo and --tz would do nothing" },
    { args: ["explain", "a", "-o", "short", "--nats", "n"], says: "--nats would do nothing: -o short" },
    {
      args: ["explain", "a", "--repo", "x", "--file", "y"],
      says: "--file and --repo name two places to read the file from",
    },
    { args: ["simulate", "x", ...fleet, "--nats", "n"], says: "--nats would do nothing: the fleet comes from a file" },
    { args: ["ledger", "check", "--by", "ana"], says: "--by would do nothing: check alone changes nothing" },
    { args: ["doctor", "--only", "git", "--nats", "n"], says: "--nats would do nothing: --only leaves nats out" },
    {
      args: ["doctor", "--only", "git,nats", "--clusters", "a"],
      says: "--clusters would do nothing: --only leaves k8s",
    },
    { args: ["context", "list", "prod"], says: "context list takes no name" },
    { args: ["rollback", "--campaign", "--reason", "x"], says: "--stage and --campaign need a campaign" },
    { args: ["resume", "all", "--cluster", "one", "--reason", "x"], says: "all and cluster/one are 2 scopes" },
    { args: ["resume", "all", "--id", "pause-1", "--reason", "x"], says: "--id" },
  ];
  test.each(cases)("$args", async ({ args, says }) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: makeFolder({}), env: {} });
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr.replaceAll(/\s+/gu, " ")).toContain(says);
  });

  test("--kubeconfig overrides a bus from the environment", async () => {
    const env = { MESHROLL_NATS_URL: "nats://127.0.0.1:1" };
    const { stderr } = await runCli(["status", "--kubeconfig", "missing"], { cwd: makeFolder({}), env });
    expect(stderr).not.toContain("two places");
  });
});
