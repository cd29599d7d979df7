import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

// Everything that is no part of the gate (.ci/run), one step after the other: what measures real time, what kills processes, what
// plays for many minutes. `npm run test:long -- faults walks` plays those two. It goes on after a red step.

interface Step {
  readonly name: string;
  /** The npm script and its arguments; also what plays the step by itself. */
  readonly command: readonly string[];
  readonly what: string;
}

const steps: readonly Step[] = [
  { name: "e2e", command: ["test:e2e"], what: "the services as processes, with the command line" },
  { name: "timed", command: ["test:timed"], what: "timeouts of servers, sockets and processes in real time" },
  { name: "flows", command: ["test:flows"], what: "planner and executor over hours of the virtual clock" },
  { name: "tools", command: ["test:tools"], what: "the tools of `npm run check` on trees with faults" },
  {
    name: "faults",
    command: ["test:faults", "--", "--times", "1", "--seed", "777"],
    what: "processes killed, servers away",
  },
  { name: "fuzz", command: ["test:fuzz", "--", "--seconds", "60", "--seed", "777"], what: "hostile input" },
  {
    name: "walks",
    command: ["test:walks", "--", "--kept", "--from", "777"],
    what: "random walks, judged by the auditor",
  },
  { name: "package", command: ["test:package"], what: "the npm package on Node 22 and 24" },
  { name: "prometheus", command: ["test:prometheus"], what: "what gates ask, evaluated by a real Prometheus" },
  { name: "page", command: ["test:page"], what: "the page in a real browser" },
  { name: "vm", command: ["test:vm"], what: "agents of VMs with real Envoys under load" },
  { name: "cluster", command: ["test:cluster"], what: "a real control plane" },
  { name: "mesh", command: ["test:mesh"], what: "the executor on it, with two real istiods" },
  { name: "mutate", command: ["test:mutate"], what: "mutate in the real kustomize, Helm and pre-commit" },
  { name: "chart", command: ["test:chart"], what: "the Helm chart, by the real Helm 3 and 4, on a real control plane" },
  { name: "forge", command: ["test:forge"], what: "pull requests, and the demo's campaign, on a real Gitea" },
];

/** A step that finds nothing to test against on this machine says so and ends with it. */
const skippedCode = 3;
/** Of a step that failed, so much of its output is shown. */
const shownLines = 40;

const root = fileURLToPath(new URL("..", import.meta.url));
const logs = join(root, ".run", "long");

interface Outcome {
  readonly step: Step;
  readonly result: "passed" | "failed" | "skipped";
  readonly minutes: number;
  /** The step's own last words on its tests, or why it was skipped. */
  readonly summary: string;
}

/** Plays a step, keeps its output in a file, and shows the end of it where it failed. */
async function play(step: Step): Promise<Outcome> {
  const path = join(logs, `${step.name}.log`);
  console.log(`${step.name}: npm run ${step.command.join(" ")}`);
  const began = performance.now();
  const child = spawn("npm", ["run", "--silent", ...step.command], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const log = createWriteStream(path);
  let text = "";
  const progress = setInterval(() => {
    const minutes = Math.round((performance.now() - began) / 60_000);
    console.log(`  ${minutes} min: ${(text.trimEnd().split("\n").at(-1) ?? "").slice(0, 68)}`);
  }, 60_000);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (data: string) => {
      text = (text + stripVTControlCharacters(data)).slice(-200_000);
      log.write(data);
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  log.end();
  clearInterval(progress);
  const minutes = (performance.now() - began) / 60_000;
  const result = code === 0 ? "passed" : code === skippedCode ? "skipped" : "failed";
  if (result === "failed") console.log(text.trimEnd().split("\n").slice(-shownLines).join("\n").replace(/^/gm, "  | "));
  const counts = [...text.matchAll(/^\d+ passed, \d+ failed.*$/gm)].at(-1)?.[0];
  const reason = /^.*SKIPPED.*$/m.exec(text)?.[0];
  const summary = (result === "skipped" ? reason : counts) ?? `exit code ${code ?? "none: killed"}`;
  console.log(`${step.name}: ${result} after ${minutes.toFixed(1)} min: ${summary} (${relative(root, path)})\n`);
  return { step, result, minutes, summary };
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`no such step: ${unknown.join(", ")}; there are ${steps.map(({ name }) => name).join(", ")}`);
  process.exit(64);
}
mkdirSync(logs, { recursive: true });
const outcomes: Outcome[] = [];
for (const step of steps.filter(({ name }) => names.length === 0 || names.includes(name)))
  outcomes.push(await play(step));

const count = (result: Outcome["result"]) => outcomes.filter((outcome) => outcome.result === result).length;
console.log("step         result   minutes");
for (const { step, result, minutes, summary } of outcomes)
  console.log(`${step.name.padEnd(12)} ${result.padEnd(8)} ${minutes.toFixed(1).padStart(7)}  ${summary}`);
if (count("skipped") > 0) console.log(`${count("skipped")} skipped: this machine lacks what they test against`);
console.log(`${count("passed")} passed, ${count("failed")} failed`);
process.exitCode = count("failed") === 0 ? 0 : 1;
