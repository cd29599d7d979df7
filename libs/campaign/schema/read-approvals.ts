import { isMap } from "yaml";

import { annotate, defineReader, locateChild, type Reader, refine, reportField } from "../fields/field.ts";
import { readFields } from "../fields/read-fields.ts";
import { readWords } from "../fields/read-list.ts";
import { readCount, readFlag, readText } from "../fields/readers.ts";
import type { ApprovalRule } from "../settings/settings.ts";

/** A larger number is a typo, and would hold every change for ever. */
const mostApprovals = 10;

/** GitHub's form of slugs and logins. */
const person = /^(?:team:[a-z0-9][a-z0-9_-]{0,99}|user:[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38})$/;

/** `team:<slug>` or `user:<login>`. Whether it exists only GitHub knows. */
export const readPerson: Reader<string> = defineReader({ type: "string", pattern: person.source }, (field) => {
  const text = readText(120)(field);
  if (text === undefined || person.test(text)) return text;
  const help = "a team by the last part of its address on GitHub: team:mesh for github.com/orgs/acme/teams/mesh";
  return reportField(field, "must be `team:<slug>` or `user:<login>`", help, "MR2006");
});

const readRule = readFields<ApprovalRule>({
  required: annotate(readCount(0, mostApprovals), "Human approvals of the head as it is.", 1),
  from: annotate(
    readWords(readPerson, { least: 1, most: 20, example: '["team:mesh"]' }),
    "Whose approvals count; absent = those of everyone who may review.",
  ),
  allowAuthor: annotate(readFlag, "The author's own approval counts too.", false),
});

const readCheckedRule: Reader<Partial<ApprovalRule>> = refine(readRule, (read, field) => {
  const people = (read.from ?? []).filter((one) => one.startsWith("user:"));
  const isShort = people.length > 0 && people.length === read.from?.length && people.length < (read.required ?? 1);
  if (isShort) {
    const message = `${read.required ?? 1} approvals are required, and \`from\` names ${people.length}: it can never be merged`;
    const span = locateChild(field, "from");
    field.report({ code: "MR2006", span, message, help: "name a team, more people, or require fewer" });
  }
  return read;
});

const readRequired = readCount(0, mostApprovals);

/** `2`, or `{ required: 2, from: ["team:mesh"], allowAuthor: false }`, with the given fields only. */
export const readApprovals: Reader<Partial<ApprovalRule>> = defineReader(
  { anyOf: [readRequired.schema, readCheckedRule.schema] },
  (field) => {
    if (isMap(field.node)) return readCheckedRule(field);
    const required = readRequired(field);
    return required === undefined ? undefined : { required };
  },
);
