import { isMap, isScalar, isSeq, type Node } from "yaml";

import { type Field, isEmptyField, locateField, type Reader, readEntries, readFields, reportField } from "./field.ts";
import { type LabelRequirement, makeSelector, type NamespaceSelector } from "./label-selector.ts";
import { checkLabelKey, checkLabelValue } from "./label-syntax.ts";
import { parseLabelSelector } from "./parse-label-selector.ts";
import { readChoice, readText } from "./readers.ts";

const code = "MR3005";

function readKey(field: Field): string | undefined {
  const key = readText(317)(field);
  const problem = key === undefined ? undefined : checkLabelKey(key);
  return problem === undefined ? key : reportField(field, `is not a label's name: ${problem}`, undefined, code);
}

function readValue(field: Field): string | undefined {
  const value = readText(63)(field);
  const problem = value === undefined ? undefined : checkLabelValue(value);
  return problem === undefined ? value : reportField(field, `is not a label's value: ${problem}`, undefined, code);
}

function readValues(field: Field): readonly string[] | undefined {
  if (!isSeq(field.node)) return reportField(field, "must be a list such as [a, b]", undefined, code);
  const items = field.node.items.map((node, index) => ({
    ...field,
    node: node as Node,
    path: `${field.path}[${index}]`,
  }));
  const values = items.map(readValue);
  return values.every((value) => value !== undefined) ? values : undefined;
}

function readMatchLabels(field: Field): readonly LabelRequirement[] {
  const requirements: LabelRequirement[] = [];
  for (const { name, field: child } of readEntries(field) ?? []) {
    const problem = checkLabelKey(name);
    const value = readValue(child);
    if (problem !== undefined)
      reportField({ ...child, node: null }, `is not a label's name: ${problem}`, undefined, code);
    else if (value !== undefined) requirements.push({ key: name, operator: "In", values: [value] });
  }
  return requirements;
}

function readExpression(field: Field): LabelRequirement | undefined {
  const read = readFields<LabelRequirement>(field, {
    key: readKey,
    operator: readChoice("In", "NotIn", "Exists", "DoesNotExist"),
    values: readValues,
  });
  if (read === undefined) return undefined;
  const { key, operator, values = [] } = read;
  if (key === undefined || operator === undefined) {
    return reportField(field, "needs a key and an operator", "write {key: tier, operator: In, values: [a, b]}", code);
  }
  const takesValues = operator === "In" || operator === "NotIn";
  if (takesValues && values.length === 0) return reportField(field, `needs values for ${operator}`, undefined, code);
  if (!takesValues && values.length > 0) return reportField(field, `takes no values for ${operator}`, undefined, code);
  return { key, operator, values };
}

function readExpressions(field: Field): readonly LabelRequirement[] | undefined {
  if (!isSeq(field.node)) return reportField(field, "must be a list of expressions", undefined, code);
  return field.node.items.flatMap((node, index) => {
    const item: Field = { ...field, node: node as Node, path: `${field.path}[${index}]` };
    return readExpression(item) ?? [];
  });
}

interface SelectorFields {
  readonly matchLabels: readonly LabelRequirement[];
  readonly matchExpressions: readonly LabelRequirement[];
}

function readMapForm(field: Field): NamespaceSelector | undefined {
  const read = readFields<SelectorFields>(field, { matchLabels: readMatchLabels, matchExpressions: readExpressions });
  return read && makeSelector([...(read.matchLabels ?? []), ...(read.matchExpressions ?? [])]);
}

function readLineForm(field: Field, text: string, isQuoted: boolean): NamespaceSelector | undefined {
  const parsed = parseLabelSelector(text);
  if (parsed.ok) return makeSelector(parsed.requirements);
  const whole = locateField(field);
  // Within quotes an escape may shift columns; the formats' own texts have none, so one quote is all there is to add.
  const start = whole.start + (isQuoted ? 1 : 0) + parsed.start;
  const span = start < whole.end ? { start, end: Math.min(whole.end, start + parsed.end - parsed.start) } : whole;
  const help = "the form is kubectl's -l: team=a,env!=test,tier in (a,b),!legacy";
  field.report({ code, span, message: `\`${field.path}\`: ${parsed.message}`, help });
  return undefined;
}

/** A label selector on namespaces, in kubectl's one-line form or as matchLabels / matchExpressions. */
export const readSelector: Reader<NamespaceSelector> = (field) => {
  const { node } = field;
  if (isMap(node)) return readMapForm(field);
  if (isScalar(node) && typeof node.value === "string" && !isEmptyField(field)) {
    return readLineForm(field, node.value, node.type !== "PLAIN");
  }
  const forms = "write a label selector, such as team=a,env!=test, or matchLabels and matchExpressions";
  return reportField(field, isEmptyField(field) ? "has no value" : "must be a label selector", forms, code);
};
