import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeRemote } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import { createFakeScm } from "#fakes/scm";
import { createLogger } from "#libs/runtime";
import { makeLedger, makeSnapshot, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { watchComments } from "./watch-comments.ts";

test("7.5 commands that a round leaves for the next one are handled at once, not at the next poll", async () => {
  const clock = createVirtualClock();
  const wall = () => clock.now();
  const scm = createFakeScm({ remote: createFakeRemote(), now: wall });
  const bus = openFakeBus(createFakeBusServer());
  const [control, status] = [bus.bucket("control"), bus.bucket("status")];
  const ours = scm.as("meshroll");
  const body = "<!-- meshroll:dashboard -->";
  const number = await ours.putIssue(body, { title: "Mesh", body, label: "meshroll" });
  const ask = (author: string): number => scm.say(number, { author, body: "/meshroll pause 5xx", stranger: true });
  for (let index = 0; index < 200; index += 1) {
    scm.setPermission(`eve-${index}`, "read");
    ask(`eve-${index}`);
  }
  const id = ask("bob");
  const abort = new AbortController();
  const log = createLogger("test", [], "silent");
  const parts = {
    scm: ours,
    control,
    status,
    clock,
    log,
    pollMs: 30_000,
    rerenderer: undefined,
    wall,
    leads: () => true,
  };
  const watch = watchComments(parts, abort.signal);
  watch.notice(makeSnapshot({ ledger: makeLedger({ main: sha("head"), judged: sha("head") }) }));
  await clock.advance(10_000);
  expect(await control.get(`request.comment-${id}`)).toBeDefined();
  const replies = (await ours.comments(number)).filter((each) => each.ours === true);
  expect([replies.length, replies[0]?.body.includes("and 195 more.")]).toEqual([1, true]);
  abort.abort();
  await clock.advance(1000);
  await watch.done;
});
