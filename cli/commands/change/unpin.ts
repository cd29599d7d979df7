import { removeBucket } from "#libs/rollouts";

import type { Define } from "../../terminal/command.ts";
import { refuseUnknown } from "../../names/unknown-name.ts";
import { readNamespace, requireEdit, requireOurs } from "./pin.ts";
import { findPinned, isPin } from "../../files/pin-forms.ts";
import { findNote } from "../../files/pin-note.ts";
import { addChangeOptions, type ChangeOptions, proposeChange, signBody } from "../../requests/propose-change.ts";
import { readSpec } from "../../read/read-spec.ts";
import { withRepository } from "../../read/repository.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { addReasonOption } from "../../options/verb-options.ts";

interface Options extends ChangeOptions {
  readonly reason: string;
}

async function unpin(namespace: string, options: Options, terminal: Terminal): Promise<void> {
  await withRepository(options, terminal, async ({ repository, url }) => {
    const { compileRollouts } = await import("#libs/rollouts");
    const { rolloutsPath } = await import("#libs/plan");
    const { main } = await repository.fetch();
    const { rollouts, settings } = await readSpec(repository, url, main);
    const text = (await repository.read(main, rolloutsPath)) ?? "";
    const found = rollouts.buckets.find((bucket) => isPin(bucket, namespace));
    if (found === undefined) {
      const ours = rollouts.buckets.filter((bucket) => findNote(text, bucket) !== undefined);
      const names = ours.flatMap((bucket) => findPinned(bucket) ?? []);
      throw refuseUnknown("pin of", namespace, names, "no namespace is pinned");
    }
    requireOurs(text, found, namespace);
    const others = { buckets: rollouts.buckets.filter((bucket) => bucket !== found) };
    const { revision } = compileRollouts(others, settings.seed).resolve(namespace);
    const [share] = found.shares.filter(({ weight }) => weight > 0);
    const change = {
      kind: "Unpin",
      branch: `pins/${namespace}`,
      title: `unpin(${namespace}): back to ${revision}`,
      body: signBody(options.reason, "unpin", terminal),
      files: { [rolloutsPath]: requireEdit(removeBucket(text, found.pattern)) },
      after: [
        ["  undo it:  ", { command: `meshroll pin ${namespace} ${share?.revision ?? ""} --for 7d --reason "…"` }],
      ],
      facts: { namespace, revision, pattern: found.pattern, reason: options.reason },
    };
    await proposeChange({ repository, url, main }, change, options, terminal);
  });
}

/** `meshroll unpin NAMESPACE`: removes its own entry by a pull request, so that its bucket decides again. */
export const define: Define = (command, { terminal }) => {
  addReasonOption(addChangeOptions(command))
    .argument("<namespace>", "the namespace whose pin to remove")
    .action(async (namespace: string, options: Options) => unpin(readNamespace(namespace, "unpin"), options, terminal));
};
