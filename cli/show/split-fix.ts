/** What an adapter's error says, and what fixes it. Adapters say both in one sentence, for the logs of services. */
export interface SplitMessage {
  readonly message: string;
  readonly fix?: string;
}

/** Parts the two. A service tries again by itself; whoever typed a command has to, so they are not told that it does. */
export function splitFix(text: string): SplitMessage {
  const [message = "", ...fix] = text.split("; to fix it: ");
  if (fix.length > 0) return { message, fix: fix.join("; to fix it: ") };
  const [down = "", look] = text.split("; it is tried again by itself");
  if (look === undefined) return { message: text };
  return { message: down, fix: look === "" ? "try it again later" : look.replace(/^, look with: /u, "look with:  ") };
}
