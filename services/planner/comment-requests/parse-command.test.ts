import fc from "fast-check";
import { expect, test } from "vitest";

import { parseComment } from "./parse-command.ts";

const commands: readonly { readonly body: string; readonly want: unknown }[] = [
  { body: "/meshroll pause 5xx in checkout", want: { verb: "pause", why: "5xx in checkout" } },
  { body: "\n\n/meshroll Hold not this week\n\nthanks", want: { verb: "hold", why: "not this week" } },
  { body: "/MESHROLL resume", want: { verb: "resume", why: "asked by a comment" } },
  { body: "/meshroll unhold looked at it", want: { verb: "unhold", why: "looked at it" } },
  { body: "/meshroll converge INC-9922", want: { verb: "converge", why: "INC-9922" } },
  { body: "/meshroll converge see:INC-9922 again", want: { verb: "converge", why: "see:INC-9922 again" } },
  {
    body: "/meshroll converge `one:shop/Deployment/web` their deploy put it back",
    want: { verb: "converge", workload: "`one:shop/Deployment/web`", why: "their deploy put it back" },
  },
  {
    body: "/meshroll converge shop/deploy/web because",
    want: { verb: "converge", workload: "shop/deploy/web", why: "because" },
  },
  {
    body: "/meshroll converge namespace/shop their deploy put it back",
    want: { verb: "converge", scope: "namespace/shop", why: "their deploy put it back" },
  },
  { body: "/meshroll rollback INC-9921", want: { verb: "rollback", why: "INC-9921" } },
  {
    body: "/meshroll pause cluster/prod-a node pool is ill",
    want: { verb: "pause", scope: "cluster/prod-a", why: "node pool is ill" },
  },
  { body: "/meshroll pause and/or resume", want: { verb: "pause", why: "and/or resume" } },
  {
    body: "/meshroll rollback run/abcdefabcdef INC",
    want: { verb: "rollback", scope: "run/abcdefabcdef", why: "INC" },
  },
  { body: "/meshroll retry", want: { verb: "retry" } },
  { body: "/meshroll retry shop/Deployment/web", want: { verb: "retry", workload: "shop/Deployment/web" } },
  { body: "/meshroll explain payments-api", want: { verb: "explain", namespace: "payments-api" } },
  { body: "/meshroll status", want: { verb: "status" } },
  { body: "/meshroll plan please", want: { verb: "plan" } },
  { body: "/meshroll rerender", want: { verb: "rerender" } },
  { body: "/meshroll", want: { verb: "help" } },
  { body: "/meshroll help\r\n", want: { verb: "help" } },
];

test.each(commands)("$body is understood", ({ body, want }) => {
  expect(parseComment(body)).toMatchObject({ kind: "command", command: want });
});

const texts: readonly string[] = [
  "",
  "LGTM",
  "> /meshroll pause quoted",
  "    /meshroll pause as code",
  "`/meshroll pause x`",
  "please say /meshroll pause x",
  "/meshrolls pause x",
  "/meshroll-pause x",
  "thanks!\n/meshroll pause in the second line",
];

test.each(texts)("%j is text and no command", (body) => expect(parseComment(body)).toEqual({ kind: "none" }));

const wrong: readonly { readonly body: string; readonly wantWhy: string }[] = [
  { body: "/meshroll puase x", wantWhy: "did you mean `/meshroll pause`?" },
  { body: "/meshroll deploy everything", wantWhy: "`/meshroll help` lists what there is" },
  { body: "/meshroll pause", wantWhy: "say why, others will read it: `/meshroll pause REASON`" },
  { body: "/meshroll hold campaign/x", wantWhy: "say why" },
  { body: "/meshroll explain", wantWhy: "name one namespace" },
  { body: "/meshroll explain a b", wantWhy: "name one namespace" },
  { body: "/meshroll explain ../x", wantWhy: "name one namespace" },
  { body: "/meshroll retry a b", wantWhy: "name one workload" },
  { body: `/meshroll retry ${"x".repeat(500)}`, wantWhy: "no workload has such a long name" },
  { body: "/meshroll @acme/mesh", wantWhy: "there is no command `@acme/mesh`" },
  { body: `/meshroll pause ${"x".repeat(70_000)}`, wantWhy: "one line of a screen" },
];

test.each(wrong)("$body is answered with what to write instead", ({ body, wantWhy }) => {
  const parsed = parseComment(body);
  expect(parsed.kind === "wrong" && parsed.why).toContain(wantWhy);
});

test("a reason is always one line of at most 500 characters without control characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (text) => {
      const parsed = parseComment(`/meshroll pause x${text}`);
      if (parsed.kind !== "command" || parsed.command.verb !== "pause") return;
      expect(Array.from(parsed.command.why).length).toBeLessThanOrEqual(500);
      expect(parsed.command.why).not.toMatch(/[\p{Cc}\u202A-\u202E\u200B]/u);
    }),
  );
});
