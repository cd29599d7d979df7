/** git's messages for a refused login. */
const words =
  /authentication failed|could not read (?:username|password)|error: 401|invalid username or (?:password|token)/i;

/** Whether git's standard error says that the remote refused the login. */
export function isLoginRefused(stderr: string): boolean {
  return words.test(stderr);
}
