import { InvalidArgumentError } from "commander";

import type { DirectOptions } from "../options/cluster-choice.ts";
import type { Define } from "../terminal/command.ts";
import { type Area, areas, type CheckResult } from "../doctor/check.ts";
import { judgeBefore, nextBefore } from "../doctor/before-install.ts";
import { checkBus } from "../doctor/check-bus.ts";
import { checkClusters } from "../doctor/check-clusters.ts";
import { checkGit } from "../doctor/check-git.ts";
import { checkGithub } from "../doctor/github/check-github.ts";
import { checkPrometheus } from "../doctor/check-prometheus.ts";
import { checkPods } from "../doctor/check-pods.ts";
import { checkRevisions } from "../doctor/check-revisions.ts";
import { checkQueue } from "../doctor/check-queue.ts";
import { checkSlack } from "../doctor/check-slack.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { addInstallationOption } from "../options/installation-option.ts";
import { type IdleFlags, refuseIdle } from "../session/idle-flags.ts";
import { addOutputOption } from "../options/output-option.ts";
import { addRepositoryOption, type RepositoryOptions } from "../read/repository.ts";
import { type Terminal, write } from "../terminal/terminal.ts";
import { wrapSentences } from "../text/wrap-text.ts";
import { indentSentence, printSentence, type Sentence } from "../terminal/sentence.ts";

interface Options extends RepositoryOptions, DirectOptions {
  readonly nats?: string;
  readonly installation?: string;
  readonly only?: readonly Area[];
  readonly pre?: boolean;
  readonly output: "human" | "json";
}

function readAreas(text: string): readonly Area[] {
  return text.split(",").map((name) => {
    const area = areas.find((each) => each === name.trim());
    if (area === undefined) throw new InvalidArgumentError(`valid areas: ${areas.join(",")}`);
    return area;
  });
}

const checks: Readonly<Record<Area, (options: Options, terminal: Terminal) => Promise<readonly CheckResult[]>>> = {
  git: checkGit,
  github: async (_, terminal) => checkGithub(terminal),
  k8s: async (options, terminal) => [
    ...(await checkClusters(options, terminal)),
    ...(await checkRevisions(options, terminal)),
    ...(await checkPods(options, terminal)),
  ],
  nats: checkBus,
  redis: async (_, terminal) => checkQueue(terminal),
  slack: async (_, terminal) => checkSlack(terminal),
  prom: async (_, terminal) => checkPrometheus(terminal),
};

const marks: Readonly<Record<CheckResult["state"], string>> = { ok: "✔", warned: "!", failed: "✖", notChecked: "?" };

function printResult({ code, state, message, fix }: CheckResult): readonly Sentence[] {
  const line = `${marks[state]} ${code}  ${message}`;
  return [line, ...fix.map((each, index) => indentSentence(each, index === 0 ? "    fix: " : "         "))];
}

function count(results: readonly CheckResult[], state: CheckResult["state"]): number {
  return results.filter((each) => each.state === state).length;
}

/** Ends with what could not be checked, so that the report does not look complete. */
function printReport(results: readonly CheckResult[], isPre: boolean): readonly Sentence[] {
  const [ok, failed, open] = [count(results, "ok"), count(results, "failed"), count(results, "notChecked")];
  const warned = count(results, "warned");
  const first = results.find(({ state }) => state === "failed");
  const left = results.filter(({ state }) => state === "notChecked").map(({ code, area }) => `${code} ${area}`);
  const nexts = isPre ? nextBefore : results.flatMap(({ next }) => (next === undefined ? [] : [next]));
  const next = first === undefined && nexts.length > 0 ? ["next:", ...nexts.map((each) => indentSentence(each))] : [];
  const ends: readonly Sentence[] = [
    `${ok} ok, ${failed} failed${warned === 0 ? "" : `, ${warned} warned`}`,
    ...(open === 0 ? [] : [`not checked: ${[...new Set(left)].join(", ")}`]),
    ...(first === undefined ? [] : [[{ command: `meshroll explain ${first.code}` }, "  says what it means"]]),
    ...next,
  ];
  return [...results.flatMap(printResult), ...ends];
}

/** Which areas a flag is about. */
function isLeftOut(...about: readonly Area[]): (options: Options) => boolean {
  return ({ only }) => only !== undefined && !about.some((area) => only.includes(area));
}

const idle: readonly IdleFlags<Options>[] = [
  { flags: ["kubeconfig", "clusters"], when: isLeftOut("k8s"), because: "would do nothing: --only leaves k8s out" },
  { flags: ["nats", "installation"], when: isLeftOut("nats"), because: "would do nothing: --only leaves nats out" },
];

/** `meshroll doctor`: checks, without changing anything, that meshroll can use everything it needs. */
export const define: Define = (command, { terminal, finish }) => {
  refuseIdle(addInstallationOption(addRepositoryOption(addOutputOption(command, ["human", "json"]))), idle)
    .option("--kubeconfig <path>", "how to reach the clusters (default: MESHROLL_KUBECONFIG, kubectl's own)")
    .option("--clusters <list>", "name[=context],… (default: MESHROLL_CLUSTERS)")
    .option("--nats <url>", "the bus (default: MESHROLL_NATS_URL)")
    .option("--only <areas>", `check only some of ${areas.join(",")} (default: all)`, readAreas)
    .option("--pre", "before installing: check only what an installation needs")
    .action(async (options: Options) => {
      const found = await Promise.all((options.only ?? areas).map(async (area) => checks[area](options, terminal)));
      const results = options.pre === true ? found.flat().map(judgeBefore) : found.flat();
      const checked = results.map(({ fix, next, ...each }) => ({
        ...each,
        ...(next === undefined ? {} : { next: printSentence(next) }),
        ...(fix.length === 0 ? {} : { fix: fix.map(printSentence).join("\n") }),
      }));
      const report = { apiVersion: "meshroll.dev/v1", kind: "DoctorReport", checks: checked };
      const told = `${wrapSentences(printReport(results, options.pre === true), terminal).join("\n")}\n`;
      const text = options.output === "json" ? `${JSON.stringify(report, undefined, 2)}\n` : told;
      await write(terminal.stdout, text);
      if (count(results, "failed") > 0) finish(exitCodes.problems);
    });
};
