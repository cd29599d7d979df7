import { isMap, isScalar, isSeq, type Node } from "yaml";
import { defineReader, type Field, isEmptyField, locateField, type Reader, refine, reportField } from "./field.ts";
import {
  type LabelRequirement,
  makeSelector,
  type NamespaceSelector,
  checkLabelKey,
  checkLabelValue,
} from "../settings/label-selector.ts";
import { parseLabelSelector } from "../settings/parse-label-selector.ts";
import { readEntries, readFields } from "./read-fields.ts";
import { readChoice, readText } from "./readers.ts";

const code = "MR3005";

const readLabelName: Reader<string> = refine(readText(317), (key, field) => {
  const problem = checkLabelKey(key);
  return problem === undefined ? key : reportField(field, `is not a label's name: ${problem}`, undefined, code);
});

const readLabelValue: Reader<string> = refine(readText(63), (value, field) => {
  const problem = checkLabelValue(value);
  return problem === undefined ? value : reportField(field, `is not a label's value: ${problem}`, undefined, code);
});

/** As a whole or not at all: a requirement with fewer values would be another requirement. */
function readAll<T>(item: Reader<T>, wanted: string): Reader<readonly T[]> {
  return defineReader({ type: "array", items: item.schema }, (field) => {
    if (!isSeq(field.node)) return reportField(field, `must be ${wanted}`, undefined, code);
    const items = field.node.items.map((node, index) => {
      return item({ ...field, node: node as Node, path: `${field.path}[${index}]` });
    });
    return items.every((one) => one !== undefined) ? items : undefined;
  });
}

const readMatchLabels: Reader<readonly LabelRequirement[]> = defineReader(
  { type: "object", additionalProperties: readLabelValue.schema },
  (field) => {
    const requirements: LabelRequirement[] = [];
    for (const { name, field: child } of readEntries(field) ?? []) {
      const problem = checkLabelKey(name);
      const value = readLabelValue(child);
      if (problem !== undefined)
        reportField({ ...child, node: null }, `is not a label's name: ${problem}`, undefined, code);
      else if (value !== undefined) requirements.push({ key: name, operator: "In", values: [value] });
    }
    return requirements;
  },
);

const readExpressionFields = readFields<LabelRequirement>({
  key: readLabelName,
  operator: readChoice("In", "NotIn", "Exists", "DoesNotExist"),
  values: readAll(readLabelValue, "a list such as [a, b]"),
});

const readExpression: Reader<LabelRequirement> = refine(readExpressionFields, (read, field) => {
  const { key, operator, values = [] } = read;
  if (key === undefined || operator === undefined) {
    return reportField(field, "needs a key and an operator", "write {key: tier, operator: In, values: [a, b]}", code);
  }
  const takesValues = operator === "In" || operator === "NotIn";
  if (takesValues && values.length === 0) return reportField(field, `needs values for ${operator}`, undefined, code);
  if (!takesValues && values.length > 0) return reportField(field, `takes no values for ${operator}`, undefined, code);
  return { key, operator, values };
});

interface SelectorFields {
  readonly matchLabels: readonly LabelRequirement[];
  readonly matchExpressions: readonly LabelRequirement[];
}

const readMapForm: Reader<NamespaceSelector> = refine(
  readFields<SelectorFields>({
    matchLabels: readMatchLabels,
    matchExpressions: readAll(readExpression, "a list of expressions"),
  }),
  ({ matchLabels = [], matchExpressions = [] }) => makeSelector([...matchLabels, ...matchExpressions]),
);

function readLineForm(field: Field, text: string, isQuoted: boolean): NamespaceSelector | undefined {
  const parsed = parseLabelSelector(text);
  if (parsed.ok) return makeSelector(parsed.requirements);
  const whole = locateField(field);
  // An escape within quotes may shift columns, but the formats' own texts have none, so only the quote is added.
  const start = whole.start + (isQuoted ? 1 : 0) + parsed.start;
  const span = start < whole.end ? { start, end: Math.min(whole.end, start + parsed.end - parsed.start) } : whole;
  const help = "the form is kubectl's -l: team=a,env!=test,tier in (a,b),!legacy";
  field.report({ code, span, message: `\`${field.path}\`: ${parsed.message}`, help });
  return undefined;
}

/** A label selector on namespaces, in kubectl's one-line form or as matchLabels / matchExpressions. */
export const readSelector: Reader<NamespaceSelector> = defineReader(
  { anyOf: [{ type: "string" }, readMapForm.schema] },
  (field) => {
    const { node } = field;
    if (isMap(node)) return readMapForm(field);
    if (isScalar(node) && typeof node.value === "string" && !isEmptyField(field)) {
      return readLineForm(field, node.value, node.type !== "PLAIN");
    }
    const forms = "write a label selector, such as team=a,env!=test, or matchLabels and matchExpressions";
    return reportField(field, isEmptyField(field) ? "has no value" : "must be a label selector", forms, code);
  },
);
