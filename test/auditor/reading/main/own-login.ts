/** True for meshroll's own account, also as a GitHub App, whose login ends in `[bot]`. */
export function isOwnLogin(login: string): boolean {
  return login.replace(/\[bot\]$/u, "") === "meshroll";
}
