/** What runs at the user's; the one place that may ask a record by any name is the function that does it safely. */
export function isProduct(path: string): boolean {
  if (path === "libs/input/look-up.ts") return false;
  return /^(?:libs|services|cli|agent)\//.test(path) && !path.endsWith(".test.ts");
}
