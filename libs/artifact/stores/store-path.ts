const part = /^[A-Za-z0-9%][A-Za-z0-9._%-]*$/;

/** True for a relative path that stays in the store. */
export function isStorePath(path: string): boolean {
  return path.split("/").every((each) => part.test(each) && !each.includes(".."));
}
