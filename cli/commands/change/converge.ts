import type { Bus } from "#libs/bus";
import type { FleetStatus, StopScope, VerbRequest } from "#libs/plan";

import { addScopeFlags, chooseScopeText, type ScopeFlags } from "../../names/scope-flags.ts";
import { confirm, requirePerson } from "../../terminal/confirm.ts";
import {
  type ConvergePreview,
  describeDrift,
  previewConverge,
  printConverge,
  readFleetFor,
} from "../../requests/converge/preview-converge.ts";
import { chooseSubject } from "../../requests/converge/choose-subject.ts";
import { findUnknown } from "../../requests/check-scope.ts";
import { makeRequestId, readWho } from "../../terminal/caller.ts";
import { readPlannerTime } from "../../read/planner-time.ts";
import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { scopeHelp } from "../../options/parse-scope.ts";
import { placeRequest } from "../../requests/place-request.ts";
import { readPublished } from "../../read/read-published.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { addRepositoryOption, type RepositoryOptions } from "../../read/repository.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { addVerbOptions, type VerbOptions } from "../../options/verb-options.ts";
import { makeListener, reportOutcome, type VerbWords, writeJson, writeLines } from "../../requests/verb-report.ts";
import { requireBus, withBus } from "../../read/with-bus.ts";

type Options = VerbOptions & ScopeFlags & RepositoryOptions;

const words: VerbWords = {
  verb: "converge",
  after: [
    ["  see how it goes:  ", { command: "meshroll status -w" }],
    ["  stop it again:  ", { command: 'meshroll pause run/ID --reason "…"' }],
  ],
};

async function requireScope(bus: Bus, scope: StopScope, status: FleetStatus | undefined): Promise<void> {
  const unknown = await findUnknown(bus, scope, status);
  if (unknown === undefined) return;
  throw new Refusal(exitCodes.invalid, `${unknown.message}: nothing would converge`, ...unknown.help);
}

/** With JSON the list is a field of it; people get it as text, on stderr where both are printed. */
async function show(scope: StopScope, preview: ConvergePreview, options: Options, terminal: Terminal): Promise<void> {
  const outlet = options.output === "human" ? terminal : { ...terminal, stdout: terminal.stderr };
  await writeLines(outlet, printConverge(scope, preview));
}

async function printDryRun(
  request: VerbRequest,
  preview: ConvergePreview,
  options: Options,
  terminal: Terminal,
): Promise<void> {
  if (options.output === "human") return writeLines(terminal, ["  no request was sent: this is a dry run"]);
  const workloads = preview.kind === "known" ? preview.plan.drift.map(({ judged }) => describeDrift(judged)) : null;
  return writeJson(terminal, request, words, { dryRun: true, workloads });
}

async function converge(bus: Bus, text: string, options: Options, terminal: Terminal): Promise<void> {
  const mustConfirm = options.yes !== true && options.dryRun !== true;
  const status = await readPublished(bus);
  const read = await readFleetFor(options, terminal);
  const subject = chooseSubject(text, "fleet" in read ? read.fleet : undefined, status);
  const { scope } = subject;
  await requireScope(bus, scope, status);
  if (mustConfirm) requirePerson(terminal);
  const preview = await previewConverge(subject, read);
  if (options.output === "human" || mustConfirm) await show(scope, preview, options, terminal);
  const request: VerbRequest = {
    id: makeRequestId("converge"),
    verb: "converge",
    ...subject,
    strength: "move",
    who: readWho(terminal),
    why: options.reason,
    at: new Date(readPlannerTime(status)).toISOString(),
  };
  if (options.dryRun === true) return printDryRun(request, preview, options, terminal);
  if (mustConfirm) await confirm(scope, terminal);
  const limits = { isStop: false, timeoutMs: options.timeout };
  const outcome = await placeRequest(bus, request, limits, makeListener(words, options, terminal));
  return reportOutcome(terminal, options, request, words, outcome);
}

/** `meshroll converge [SCOPE]`: starts a run for what differs from main in the scope and belongs to no run. */
export const define: Define = (command, { terminal }) => {
  addRepositoryOption(addVerbOptions(addScopeFlags(command), "until it is recorded"))
    .argument(
      "[scope]",
      `${scopeHelp} (the default), a namespace, or a workload; run/ID: the workloads that this run wrote to last`,
    )
    .action(async (text: string | undefined, options: Options) => {
      const named = chooseScopeText(text, options) ?? "all";
      await withBus(requireBus(options, terminal), async (bus) => converge(bus, named, options, terminal));
    });
};
