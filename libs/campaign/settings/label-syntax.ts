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
