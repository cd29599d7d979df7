import { expect, test } from "vitest";

import type { WriteRefusal } from "#libs/fleet";
import type { WriteOutcome } from "../port.ts";
import { noteRefusals } from "./note-refusals.ts";

const ref = { namespace: "shop", kind: "Deployment", name: "web" } as const;
const change = {
  resourceVersion: "1",
  annotations: { "meshroll.dev/run": "0123456789ab new", "meshroll.dev/previous": "{}", "meshroll.dev/failed": null },
};

/** Patches of one object with these answers, `step` ms apart, and the recorded refusal after each. */
async function patchAll(answers: readonly WriteOutcome[], step = 1000) {
  let now = 0;
  let known: WriteRefusal | undefined;
  const left = [...answers];
  const answer = async (): Promise<WriteOutcome> => left.shift() ?? { kind: "gone" };
  const patches = noteRefusals(
    { patchWorkload: answer, patchNamespace: answer },
    { noteRefusal: (_, refusal) => void (known = refusal), serverNow: () => 7000, monotonic: () => now },
  );
  const seen: string[] = [];
  for (let turn = 0; turn < answers.length; turn++) {
    const outcome = await patches.patchWorkload(ref, change);
    seen.push(`${outcome.kind} ${known?.run} ${known?.why} ${known?.at}`);
    now += step;
  }
  return seen;
}

const refused: WriteOutcome = { kind: "refused", why: "denied" };
const noted = "refused 0123456789ab new denied 1970-01-01T00:00:07.000Z";
const nothing = "undefined undefined undefined";

test("a refusal is recorded until a write succeeds, or is refused for another reason", async () => {
  expect(await patchAll([refused, { kind: "conflict" }, { kind: "gone" }])).toEqual([
    noted,
    noted.replace("refused", "conflict"),
    noted.replace("refused", "gone"),
  ]);
  expect(await patchAll([refused, { kind: "written", resourceVersion: "2" }])).toEqual([noted, `written ${nothing}`]);
});

test("a webhook that is away for a minute counts as a refusal; an answer in between starts the minute again", async () => {
  const away: WriteOutcome = { kind: "unavailable", why: "no webhook", byWebhook: true };
  const asked = (answers: readonly WriteOutcome[]) =>
    patchAll(answers, 30_000).then((seen) => seen.map((each) => each.split(" ")[0]));
  expect(await asked([away, away, away])).toEqual(["unavailable", "unavailable", "refused"]);
  expect(await asked([away, { kind: "conflict" }, away, away])).toEqual([
    "unavailable",
    "conflict",
    "unavailable",
    "unavailable",
  ]);
  const slow: WriteOutcome = { kind: "unavailable", why: "503" };
  expect(await asked([slow, slow, slow])).toEqual(["unavailable", "unavailable", "unavailable"]);
});
