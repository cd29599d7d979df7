/** True for code that users run, except `lookUp` itself, which does the lookup safely. */
export function isProduct(path: string): boolean {
  if (path === "libs/input/look-up.ts") return false;
  return /^(?:libs|services|cli|agent)\//.test(path) && !path.endsWith(".test.ts");
}
