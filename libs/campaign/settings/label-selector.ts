import { lookUp } from "#libs/input";

const word = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const domain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** What is wrong with a label key (`team`, `acme.io/tier`), or undefined. */
export function checkLabelKey(key: string): string | undefined {
  const slash = key.indexOf("/");
  const prefix = slash === -1 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  if (prefix !== undefined && (prefix.length > 253 || !domain.test(prefix))) return "its prefix is not a DNS name";
  if (name.length > 63 || !word.test(name))
    return "a name has 1 to 63 of A-Z a-z 0-9 - _ . and begins and ends alphanumeric";
  return undefined;
}

/** What is wrong with a label value, or undefined; empty is a value. */
export function checkLabelValue(value: string): string | undefined {
  const fine = value === "" || (value.length <= 63 && word.test(value));
  return fine ? undefined : "a value has at most 63 of A-Z a-z 0-9 - _ . and begins and ends alphanumeric";
}

/** One condition on a label, with the operators and meaning of Kubernetes: `NotIn` also matches where the label is absent. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  /** Sorted and distinct; empty exactly for `Exists` and `DoesNotExist`. */
  readonly values: readonly string[];
}

/** The namespaces that `meshroll.yml` selects: all requirements must be met; none means every namespace. */
export interface NamespaceSelector {
  /** In the order of the file. */
  readonly requirements: readonly LabelRequirement[];
  /** The selector in kubectl's one-line form. */
  readonly text: string;
}

function printRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    case "In":
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(",")})`;
    case "NotIn":
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(",")})`;
  }
}

/** Requirements -> selector with its one-line form. */
export function makeSelector(requirements: readonly LabelRequirement[]): NamespaceSelector {
  const tidy = requirements.map((one) => ({ ...one, values: [...new Set(one.values)].toSorted() }));
  return { requirements: tidy, text: tidy.map(printRequirement).join(",") };
}

function holds(requirement: LabelRequirement, value: string | undefined): boolean {
  switch (requirement.operator) {
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "In":
      return value !== undefined && requirement.values.includes(value);
    case "NotIn":
      return value === undefined || !requirement.values.includes(value);
  }
}

/** Whether labels meet all requirements. */
export function matchLabels(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>>,
): boolean {
  return findUnmet({ requirements, text: "" }, labels) === undefined;
}

/** The first requirement that the labels do not meet, in the one-line form; undefined = selected. */
export function findUnmet(selector: NamespaceSelector, labels: Readonly<Record<string, string>>): string | undefined {
  const unmet = selector.requirements.find(
    (one) => !holds(one, Object.hasOwn(labels, one.key) ? lookUp(labels, one.key) : undefined),
  );
  return unmet === undefined ? undefined : printRequirement(unmet);
}
