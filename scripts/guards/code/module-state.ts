import { basename } from "node:path";
import type { Complaint } from "../complaint.ts";

const product = /^(?:libs|services|cli)\/.*\.ts$/;
/** Fakes, conformance suites and what only tests import. */
const forTests = /\.test\.ts$|\/(?:fake|conformance|test-)/;

/**
 * Files that may hold state for the life of their process: the entry of a process, or a bounded memory. In all other files,
 * state belongs to an object that is created, passed on and dropped.
 */
const allowedFiles: ReadonlyMap<string, string> = new Map([
  ["libs/git/process/meter-ssh.ts", "a program that git starts"],
  ["services/planner/pull-requests/judging/judge-process.ts", "a program that the planner starts"],
  ["libs/runtime/secrets/secret.ts", "as many secrets as the process was configured with: no message may show one"],
  ["libs/runtime/secrets/redact-secrets.ts", "the forms of those secrets"],
  ["libs/campaign/calendar/judge-calendar.ts", "a bounded memory: windows of a calendar"],
  ["libs/campaign/calendar/local-time.ts", "a bounded memory: formats of time zones"],
  ["libs/plan/main/past/drop-taken-back.ts", "a bounded memory: distributions that were parsed"],
  ["libs/rollouts/hashing/murmur3.ts", "room to write bytes to; nothing is read that was written by an earlier call"],
  ["libs/rollouts/hashing/wrh1.ts", "the same"],
]);

/** Files with a module-level WeakMap, whose entries live as long as their key. The text says what the value depends on. */
const allowedWeakMaps: ReadonlyMap<string, string> = new Map([
  ["libs/rollouts/source/buckets.ts", "the key alone: a parsed file"],
  ["libs/campaign/settings/check-seed.ts", "the key alone: where parsed settings write their seed"],
  ["libs/fleet/annotations/parse-marks.ts", "the key alone: facts are immutable"],
  ["libs/plan/decide.ts", "the key and a name: a run's record"],
  ["libs/plan/index/bucket-shares.ts", "the key, a head; it follows the fleet that it is asked of"],
  ["libs/plan/index/census/pod-census.ts", "the key, a basis of an index; it follows the tree that it is asked of"],
  ["libs/plan/index/cluster-index.ts", "an ownership and a cluster's control plane; a map that changes is compared"],
  ["libs/plan/index/evaluate-fleet.ts", "the key, a snapshot; the head is compared"],
  [
    "libs/plan/proposals/proposal.ts",
    "the key, campaign and stage: one function for each, so that it can be a key itself",
  ],
  ["libs/plan/proposals/stages/judge-stages.ts", "a head and a stage of it; tree and basis are compared"],
  ["libs/plan/runs/advance-runs.ts", "a run's record; the head is compared"],
  ["libs/plan/stops/recorded/cluster-entries.ts", "the entries, the cluster's name and the installation's"],
  ["libs/plan/workloads/judge-campaign.ts", "a campaign; the revision and the facts are compared"],
  ["libs/plan/workloads/ownership.ts", "a head; what of the ledger it depends on is compared"],
]);

const variable = /^(?:export )?(?:let|var) /;
const constant = /^(?:export )?const (.+?)(?:: (.+?))? = (.+)/su;
const isReadonly = /^(?:Readonly|readonly )/;
/** Initial values that can be changed later, and how a complaint names them; the first match counts. */
const changing: readonly (readonly [value: RegExp, state: string])[] = [
  [/^new Weak(?:Map|Set)\b/, "a WeakMap"],
  [/^new (?:Map|Set)\b/, "a Map or Set that is not Readonly"],
  [/^\[\]/, "a list that can grow"],
  [/^\[\[\]/, "lists that can grow"],
  // Errors, regular expressions, coders, URLs and Intl objects hold no state.
  [/^new (?!\w*Error\(|RegExp\(|Text(?:En|De)coder\(|URL\(|Intl\.)/, "an object that may hold state"],
  [/^(?:create|open|make)[A-Z]\w*\(/, "an object that may hold state"],
];

interface Statement {
  readonly line: number;
  readonly text: string;
}

/**
 * Top-level statements that declare a name, each joined into one line. The formatter starts only such statements in column 1.
 */
function listDeclarations(text: string): readonly Statement[] {
  const lines = text.split("\n");
  return lines.flatMap((first, index) => {
    if (!/^(?:export )?(?:let|var|const) /.test(first)) return [];
    const rest = lines.slice(index + 1, index + 12);
    const end = rest.findIndex((line) => /^\S/.test(line) && !/^[)\]}>]/.test(line));
    const whole = [first, ...rest.slice(0, end < 0 ? rest.length : end)].map((line) => line.trim()).join(" ");
    return [{ line: index + 1, text: whole }];
  });
}

/** The type forbids changes: `ReadonlyMap`, `readonly X[]`, or a named type of an empty list. */
function isFixed(value: string, type: string): boolean {
  if (value.startsWith("[]")) return isReadonly.test(type) || (type !== "" && !type.endsWith("[]"));
  return /^new (?:Map|Set)\b/.test(value) && isReadonly.test(type);
}

function nameState(path: string, text: string): string | undefined {
  if (variable.test(text)) return "a variable";
  const [, , type = "", value = ""] = constant.exec(text) ?? [];
  if (isFixed(value, type)) return undefined;
  const [, state] = changing.find(([form]) => form.test(value)) ?? [];
  return state === "a WeakMap" && allowedWeakMaps.has(path) ? undefined : state;
}

/** Complains about module-level state: it lives as long as the process and is shared by all callers. */
export function checkModuleState(path: string, text: string): readonly Complaint[] {
  if (!product.test(path) || forTests.test(path) || basename(path) === "main.ts" || allowedFiles.has(path)) return [];
  return listDeclarations(text).flatMap(({ line, text: statement }) => {
    const state = nameState(path, statement);
    if (state === undefined) return [];
    const message =
      `${state} of a module lives as long as its process: give it to an object that is dropped; or name it, with the reason ` +
      "why it is sound and bounded, in scripts/guards/code/module-state.ts";
    return [{ path, line, message }];
  });
}

/** Complains about exceptions whose file no longer exists. */
export function checkModuleStateList(paths: readonly string[]): readonly Complaint[] {
  return [...allowedFiles.keys(), ...allowedWeakMaps.keys()]
    .filter((path) => !paths.includes(path))
    .map((path) => ({
      path: "scripts/guards/code/module-state.ts",
      message: `${path} is not there: take it off the list`,
    }));
}
