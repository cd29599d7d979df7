/** Git's words for a login that the remote does not take. */
const words =
  /authentication failed|could not read (?:username|password)|error: 401|invalid username or (?:password|token)/i;

/** True when standard error of a git process says that the remote does not know who asks. */
export function isLoginRefused(stderr: string): boolean {
  return words.test(stderr);
}
