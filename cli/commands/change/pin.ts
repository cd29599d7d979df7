import { parseDuration } from "#libs/campaign";
import { readNamespaceName, readNamespaceOfWorkload } from "#libs/input";
import { appendBucket, type Bucket, type Edited, removeBucket, type Rollouts } from "#libs/rollouts";

import { readWho } from "../../terminal/caller.ts";
import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { parseUntil, type UntilOptions } from "../../options/parse-until.ts";
import { choosePinForm, isNamed } from "../../files/pin-forms.ts";
import { findNote, printPinNote, printUntil } from "../../files/pin-note.ts";
import { addChangeOptions, type ChangeOptions, proposeChange, signBody } from "../../requests/propose-change.ts";
import { readSpec } from "../../read/read-spec.ts";
import { withRepository } from "../../read/repository.ts";
import { Refusal } from "../../terminal/refusal.ts";

import { type Terminal, write } from "../../terminal/terminal.ts";
import { wrapSentences } from "../../text/wrap-text.ts";
import { addFleetOptions, type FleetOptions } from "../../read/fleet-source.ts";
import { findMissingNamespace } from "../../requests/subjects/known-namespace.ts";
import { addReasonOption } from "../../options/verb-options.ts";
import { indentSentence, type Sentence } from "../../terminal/sentence.ts";

interface Options extends ChangeOptions, FleetOptions, UntilOptions {
  readonly reason: string;
}

/** A pin is for a namespace in every cluster: a name of less is refused. */
function refuseNarrower(verb: string, namespace: string): Refusal {
  return new Refusal(exitCodes.usage, "a pin is for a whole namespace, in every cluster", [
    "say  ",
    { command: `meshroll ${verb} ${namespace} …` },
    "  a workload has the annotation meshroll.dev/pin",
  ]);
}

/** The namespace's name, as typed or copied from a screen; refuses a text that cannot be one. */
export function readNamespace(text: string, verb: string): string {
  const { cluster, namespace } = readNamespaceName(text) ?? {};
  if (namespace !== undefined && cluster === undefined) return namespace;
  const wider = namespace ?? readNamespaceOfWorkload(text)?.namespace;
  if (wider !== undefined) throw refuseNarrower(verb, wider);
  throw new Refusal(exitCodes.usage, `\`${text}\` is not a namespace's name`, "names are [a-z0-9-]");
}

/** The edited text; an impossible edit is refused with its finding. */
export function requireEdit(edited: Edited): string {
  if (edited.ok) return edited.text;
  const [first] = edited.findings;
  throw new Refusal(
    exitCodes.invalid,
    `rollouts.yml cannot be edited: ${first?.code ?? ""} ${first?.message ?? ""}`,
    first?.help,
  );
}

function requireForm(rollouts: Rollouts, rivals: readonly Bucket[], namespace: string): string {
  const form = choosePinForm(rollouts, rivals, namespace);
  if (form !== undefined) return form;
  const [winner] = rivals;
  throw new Refusal(
    exitCodes.refused,
    `MR1102: a pin of ${namespace} would never apply: \`${winner?.pattern ?? ""}\` matches it and is longer`,
    [
      `shorten that pattern on main first, or give ${namespace} to another bucket;  `,
      { command: "meshroll explain MR1102" },
    ],
  );
}

/** An entry that a person wrote may be a bucket of several namespaces, and its comments are that person's. */
export function requireOurs(text: string, bucket: Bucket, namespace: string): void {
  if (findNote(text, bucket) !== undefined) return;
  throw new Refusal(
    exitCodes.refused,
    `rollouts.yml:${bucket.line} is an entry of ${namespace} that meshroll pin did not write`,
    "change it by a pull request of your own",
  );
}

function readEnd(options: Options): string {
  const iso = parseUntil(options, Date.now());
  if (iso === undefined) {
    throw new Refusal(exitCodes.usage, "a pin without an end is forgotten: say --for or --until", "--for 7d");
  }
  const ms = options.for === undefined ? 0 : (parseDuration(options.for) ?? 0);
  return printUntil(iso, ms > 0 && ms % 86_400_000 === 0);
}

function listAfter(rollouts: Rollouts, namespace: string, revision: string, until: string): readonly Sentence[] {
  const isKnown = rollouts.buckets.some(({ shares }) => shares.some((share) => share.revision === revision));
  return [
    ...(isKnown ? [] : [`! no other line of rollouts.yml names ${revision}: is it installed?`]),
    `  it does not expire: after ${until} it is reported as overdue`,
    ["  undo it:  ", { command: `meshroll unpin ${namespace} --reason "…"` }],
  ];
}

/** One pin is one entry: an earlier one is removed with its comment. */
function writePin(text: string, old: Bucket | undefined, pin: Parameters<typeof appendBucket>[1]): string {
  const cleared = old === undefined ? text : requireEdit(removeBucket(text, old.pattern));
  return requireEdit(appendBucket(cleared, pin));
}

/** A pin may come before its namespace, so an unknown one is only warned of. */
async function warnOfMissing(namespace: string, options: Options, terminal: Terminal): Promise<void> {
  const warn = async (...lines: readonly Sentence[]): Promise<void> =>
    write(terminal.stderr, `${wrapSentences(lines, terminal).join("\n")}\n`);
  try {
    const missing = await findMissingNamespace(namespace, options, terminal);
    if (missing !== undefined)
      await warn(`! ${missing.message} now`, ...missing.help.map((line) => indentSentence(line)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await warn(`! whether there is a namespace ${namespace} is not known: ${error.message}`);
  }
}

async function pin(namespace: string, revision: string, options: Options, terminal: Terminal): Promise<void> {
  const until = readEnd(options);
  await warnOfMissing(namespace, options, terminal);
  await withRepository(options, terminal, async ({ repository, url }) => {
    const { rolloutsPath } = await import("#libs/plan");
    const { main } = await repository.fetch();
    const { rollouts, resolver } = await readSpec(repository, url, main);
    const text = (await repository.read(main, rolloutsPath)) ?? "";
    const old = rollouts.buckets.find((bucket) => isNamed(bucket, namespace));
    if (old !== undefined) requireOurs(text, old, namespace);
    const others = { buckets: rollouts.buckets.filter((bucket) => bucket !== old) };
    const rivals = resolver.matches(namespace).filter((bucket) => bucket.pattern !== old?.pattern);
    const isSame = old?.shares.some((share) => share.revision === revision && share.weight === 100) === true;
    const pattern = isSame && old !== undefined ? old.pattern : requireForm(others, rivals, namespace);
    const comment = printPinNote({ who: readWho(terminal), until, why: options.reason });
    const after = writePin(text, old, { pattern, revision, comment });
    const change = {
      kind: "Pin",
      branch: `pins/${namespace}`,
      title: `pin(${namespace}): ${revision} until ${until}`,
      body: signBody(options.reason, "pin", terminal),
      files: { [rolloutsPath]: after },
      after: listAfter(others, namespace, revision, until),
      facts: { namespace, revision, until, pattern, reason: options.reason },
    };
    await proposeChange({ repository, url, main }, change, options, terminal);
  });
}

/** `meshroll pin NAMESPACE REVISION`: an entry of `rollouts.yml` that keeps one namespace on a revision, by a pull request. */
export const define: Define = (command, { terminal }) => {
  addReasonOption(addFleetOptions(addChangeOptions(command)))
    .argument("<namespace>", "the namespace to pin")
    .argument("<revision>", "the revision to keep it on")
    .option("--for <duration>", "review after this time (7d, 12h); it does not expire")
    .option("--until <time>", "review from this time on: 2026-11-26 or 2026-11-26T16:30+01:00")
    .action(async (namespace: string, revision: string, options: Options) =>
      pin(readNamespace(namespace, "pin"), revision, options, terminal),
    );
};
