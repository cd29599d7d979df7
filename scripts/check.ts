import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { checkRepository } from "./guards/check-repository.ts";
import { printComplaint } from "./guards/complaint.ts";

/** Result of one step: `output` is shown when it failed, `summary` always. */
interface Outcome {
  readonly ok: boolean;
  readonly output: string;
  readonly summary?: string;
}

interface Step {
  readonly name: string;
  readonly what: string;
  /** The command that fixes the findings, where there is one. */
  readonly fix?: string;
  readonly run: () => Promise<Outcome>;
}

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** Runs a tool of node_modules/.bin (scripts/setup.mjs has put it on the PATH) and collects its output. */
function runTool(command: string, ...args: readonly string[]): () => Promise<Outcome> {
  return () =>
    new Promise((resolve) => {
      const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
      const chunks: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
      child.on("error", (error) => resolve({ ok: false, output: `cannot start ${command}: ${error.message}` }));
      child.on("close", (code) => resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() }));
    });
}

function runGuards(): Promise<Outcome> {
  const { complaints, summary } = checkRepository(root);
  return Promise.resolve({ ok: complaints.length === 0, output: complaints.map(printComplaint).join("\n"), summary });
}

const steps: readonly Step[] = [
  { name: "lint", what: "oxlint, with types", run: runTool("oxlint", "--type-aware", "--deny-warnings") },
  { name: "types", what: "tsc", run: runTool("tsc", "--pretty", "false") },
  {
    name: "types-page",
    what: "tsc, with a browser's types",
    run: runTool("tsc", "--pretty", "false", "--project", "page"),
  },
  { name: "format", what: "oxfmt --check", fix: "npm run format", run: runTool("oxfmt", "--check") },
  { name: "deadcode", what: "knip", run: runTool("knip", "--no-progress") },
  { name: "deadcode-production", what: "knip --production", run: runTool("knip", "--production", "--no-progress") },
  { name: "lookups", what: "scripts/lookups, with types", run: runTool("node", "scripts/lookups/main.ts") },
  { name: "guards", what: "scripts/guards", run: runGuards },
];

/** Runs one step and prints its result at once. */
async function report(step: Step): Promise<boolean> {
  const start = performance.now();
  const { ok, output, summary } = await step.run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const note = summary === undefined ? "" : `  ${summary}`;
  console.log(`${ok ? "ok  " : "FAIL"}  ${step.name.padEnd(20)} ${seconds.padStart(5)} s  ${step.what}${note}`);
  if (!ok) {
    console.log(output.trim().replace(/^/gm, "      "));
    if (step.fix !== undefined) console.log(`      fix with: ${step.fix}`);
  }
  return ok;
}

/** Runs the steps, two at a time: CI has two cores, and each tool uses several threads. */
async function runAll(chosen: readonly Step[]): Promise<readonly string[]> {
  const waiting = [...chosen];
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      if (!(await report(step))) failed.push(step.name);
    }
  };
  await Promise.all([work(), work()]);
  return failed;
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`no such check: ${unknown.join(", ")}; there are ${steps.map(({ name }) => name).join(", ")}`);
  process.exit(64);
}
const chosen = names.length === 0 ? steps : steps.filter(({ name }) => names.includes(name));
const failed = await runAll(chosen);
console.log(failed.length === 0 ? `all ${chosen.length} checks passed` : `failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
