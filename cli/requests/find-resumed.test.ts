import { describe, expect, it } from "vitest";

import { printSentence } from "../terminal/sentence.ts";
import { findResumed, type OpenStop, type ResumeSubject, type ResumeVerb } from "./find-resumed.ts";
import { Refusal } from "../terminal/refusal.ts";

const base = { strength: "move", cause: "verb", who: "ana", why: "because" } as const;
const stops: readonly OpenStop[] = [
  { ...base, id: "pause-1", scope: "bucket/x" },
  { ...base, id: "pause-2", scope: "bucket/x" },
  { ...base, id: "hold-1", scope: "bucket/x", strength: "propose" },
  { ...base, id: "return-r-1", scope: "bucket/x", cause: "rolledBack", rollbackOf: "r" },
  { ...base, id: "failures-1", scope: "run/r", cause: "failures" },
  { ...base, id: "kubectl", scope: "cluster/prod-a", cause: "kubectl" },
  { ...base, id: "kubectl", scope: "cluster/prod-b", cause: "kubectl" },
  { ...base, id: "job-1", scope: "cluster/prod-b", cause: "jobFailed" },
  { ...base, id: "hold-2", scope: "all", strength: "propose" },
  { ...base, id: "unread-up", scope: "campaign/up", cause: "unread", command: "meshroll validate campaigns/up.yml" },
  { ...base, id: "unread-on", scope: "campaign/on", cause: "unread" },
  { ...base, id: "pause-3", scope: "campaign/on" },
  {
    ...base,
    id: "shared-s",
    scope: "run/s",
    cause: "severalCampaigns",
    command: 'meshroll rollback run/s --reason "…"',
  },
];

interface Resumed {
  readonly name: string;
  readonly verb: ResumeVerb;
  readonly subject: ResumeSubject;
  readonly want: readonly string[];
}

const resumed: readonly Resumed[] = [
  {
    name: "`resume` ends all pauses of the scope",
    verb: "resume",
    subject: { scope: "bucket/x" },
    want: ["pause-1", "pause-2"],
  },
  {
    name: "`unhold` ends holds, including that of a rollback",
    verb: "unhold",
    subject: { scope: "bucket/x" },
    want: ["hold-1", "return-r-1"],
  },
  { name: "a stop by its id", verb: "resume", subject: { id: "pause-2" }, want: ["pause-2"] },
  { name: "a stop for failures, which is a pause", verb: "resume", subject: { scope: "run/r" }, want: ["failures-1"] },
  {
    name: "a person's stop next to that of an unreadable file",
    verb: "resume",
    subject: { scope: "campaign/on" },
    want: ["pause-3"],
  },
  { name: "a scope without stops", verb: "resume", subject: { scope: "cluster/prod-c" }, want: [] },
  {
    name: "a stop next to one made with kubectl",
    verb: "resume",
    subject: { scope: "cluster/prod-b" },
    want: ["job-1"],
  },
];

interface Refused extends Omit<Resumed, "want"> {
  readonly wantCode: number;
  readonly wantHelp: RegExp;
}

const refused: readonly Refused[] = [
  {
    name: "a stop made with kubectl names kubectl's command",
    verb: "resume",
    subject: { scope: "cluster/prod-a" },
    wantCode: 83,
    wantHelp: /^kubectl --context prod-a -n meshroll-system delete configmap meshroll-stop$/,
  },
  {
    name: "`resume` of a hold names `unhold`",
    verb: "resume",
    subject: { scope: "all" },
    wantCode: 65,
    wantHelp: /^meshroll unhold all --reason/,
  },
  {
    name: "`unhold` of a pause names `resume`",
    verb: "unhold",
    subject: { id: "pause-1" },
    wantCode: 65,
    wantHelp: /^meshroll resume --id pause-1 --reason/,
  },
  {
    name: "`resume` of a stop for an unreadable file asks for a merge",
    verb: "resume",
    subject: { scope: "campaign/up" },
    wantCode: 83,
    wantHelp: /^merge a file that is right, .*; meshroll validate campaigns\/up\.yml {2}shows what is wrong$/,
  },
  {
    name: "`resume` of a run of several campaigns names its rollback",
    verb: "resume",
    subject: { scope: "run/s" },
    wantCode: 83,
    wantHelp: /^meshroll rollback run\/s --reason/,
  },
  {
    name: "`unhold` of a stop for an unreadable file asks for a merge",
    verb: "unhold",
    subject: { id: "unread-up" },
    wantCode: 83,
    wantHelp: /^merge a file that is right/,
  },
];

/** Exit code and help of the refusal. */
function readRefusal({ verb, subject }: Refused): Pick<Refusal, "exitCode" | "help"> {
  try {
    findResumed(verb, subject, stops, "ana");
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error("it was not refused");
}

describe("what a resume ends", () => {
  it.each(resumed)("7.5 $name", ({ verb, subject, want }) => {
    expect(findResumed(verb, subject, stops, "ana").map(({ id }) => id)).toEqual(want);
  });

  const mixed: readonly OpenStop[] = [
    { ...base, id: "failures-1", scope: "run/r", cause: "failures", who: "meshroll planner" },
    { ...base, id: "pause-ben", scope: "run/r", who: "ben" },
    { ...base, id: "pause-ana", scope: "run/r" },
  ];
  it.each([
    { name: "the caller's own stop", who: "ana", stops: mixed, want: ["pause-ana"] },
    {
      name: "other people's stops, if the caller has none",
      who: "cleo",
      stops: mixed,
      want: ["pause-ben", "pause-ana"],
    },
    {
      name: "meshroll's stop, if people have none",
      who: "ana",
      stops: mixed.slice(0, 1),
      want: ["failures-1"],
    },
  ])("of a scope with several: $name", ({ who, stops: known, want }) => {
    expect(findResumed("resume", { scope: "run/r" }, known, who).map(({ id }) => id)).toEqual(want);
  });

  it("meshroll's stop by its id, next to others", () => {
    expect(findResumed("resume", { id: "failures-1" }, mixed, "ana").map(({ id }) => id)).toEqual(["failures-1"]);
  });

  it.each(refused)("7.3 $name", (each) => {
    const { exitCode, help } = readRefusal(each);
    expect(exitCode).toBe(each.wantCode);
    expect(help.map(printSentence).join("\n")).toMatch(each.wantHelp);
  });
});
