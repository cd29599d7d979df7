/** Behind `-o jsonpath=`. */
export const templateForm = "jsonpath=";

/** What `-o` may have beyond the formats of a command that prints JSON. */
export const convertedForms: readonly string[] = ["yaml", templateForm];

/** True for a value of `-o` that is made of a command's JSON. */
export function isConverted(format: string): boolean {
  return format === "yaml" || format.startsWith(templateForm);
}
