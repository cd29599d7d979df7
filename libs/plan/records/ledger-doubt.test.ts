import { renderReason } from "#libs/wording";
import { expect, test } from "vitest";

import { type LedgerDoubt, nameDoubt } from "./ledger-doubt.ts";

const [known, found] = ["a".repeat(40), "b".repeat(40)];
const commitAsKnown = `$(git commit-tree '${known}^{tree}' -p ${found} -m 'as in aaaaaaaaaaaa')`;

const cases: readonly { readonly name: string; readonly doubt: LedgerDoubt; readonly want: readonly string[] }[] = [
  {
    name: "an invalid field is named with file, commit and fault",
    doubt: { kind: "unreadable", commit: found, file: "runs/x.json", field: "order", why: "expected number" },
    want: [
      "LedgerUnreadable",
      "commit bbbbbbbbbbbb of branch meshroll/ledger cannot be read (runs/x.json, field order: expected number): nothing moves",
      "meshroll ledger check",
    ],
  },
  {
    name: "a branch without protection is named with what it allows",
    doubt: { kind: "unprotected", because: "open", allows: ["deletion"] },
    want: [
      "LedgerUnprotected",
      "branch meshroll/ledger allows deletion: nothing moves until its rules let only meshroll push (docs/how-to/protect-the-ledger.md)",
      "meshroll doctor --only github",
    ],
  },
  {
    name: "an SCM that did not answer is distinguished from an unprotected branch",
    doubt: { kind: "unprotected", because: "unanswered", allows: [] },
    want: [
      "LedgerUnprotected",
      "the SCM has not said yet whether only meshroll may push to branch meshroll/ledger: nothing moves before it does",
      "meshroll doctor --only github",
    ],
  },
  {
    name: "a ledger of another installation is named with the variable to change",
    doubt: { kind: "otherInstallation", commit: found, installation: "othermeshrol" },
    want: [
      "OtherInstallation",
      "commit bbbbbbbbbbbb of branch meshroll/ledger belongs to installation othermeshrol, and this process serves another: nothing moves",
      "start every service with MESHROLL_INSTALLATION=othermeshrol",
    ],
  },
  {
    name: "a ledger of another version names who installs meshroll, and no repair",
    doubt: { kind: "unreadable", commit: found, file: "heads", field: "version", why: "newer", isOtherVersion: true },
    want: [
      "LedgerUnreadable",
      "commit bbbbbbbbbbbb of branch meshroll/ledger cannot be read (heads, field version: newer): nothing moves",
      "",
    ],
  },
  {
    name: "a fault without a file is reported on one line",
    doubt: { kind: "unreadable", commit: found, why: "too\nlarge" },
    want: [
      "LedgerUnreadable",
      "commit bbbbbbbbbbbb of branch meshroll/ledger cannot be read (too large): nothing moves",
      "meshroll ledger check",
    ],
  },
  {
    name: "a ledger that was set back names the push that replaces exactly the found commit",
    doubt: { kind: "setBack", known, found },
    want: [
      "LedgerSetBack",
      "branch meshroll/ledger is at bbbbbbbbbbbb and does not contain aaaaaaaaaaaa, which was read before: nothing moves",
      `git fetch origin ${known} && git push --force-with-lease=meshroll/ledger:${found} origin ${known}:refs/heads/meshroll/ledger`,
    ],
  },
  {
    name: "a deleted branch names the push that restores it",
    doubt: { kind: "setBack", known },
    want: [
      "LedgerSetBack",
      "branch meshroll/ledger is gone, its commit aaaaaaaaaaaa was read before: nothing moves",
      `git fetch origin ${known} && git push origin ${known}:refs/heads/meshroll/ledger`,
    ],
  },
  {
    name: "a commit with a lower sequence is named",
    doubt: { kind: "setBack", known, found, isCountedBack: true },
    want: [
      "LedgerSetBack",
      "commit bbbbbbbbbbbb of branch meshroll/ledger has a lower sequence than aaaaaaaaaaaa, which was read before: nothing moves",
      `git fetch origin meshroll/ledger && git push origin "${commitAsKnown}":refs/heads/meshroll/ledger`,
    ],
  },
];

test.each(cases)("12.1 $name", ({ doubt, want }) => {
  const { code, message, command } = renderReason(nameDoubt(doubt));
  expect([code, message, command ?? ""]).toEqual(want);
});
