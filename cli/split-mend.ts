/** What an adapter's error says, and what mends it. Adapters say both in one sentence, for the logs of services. */
export interface SplitMessage {
  readonly message: string;
  readonly mend?: string;
}

/** Parts the two. A service tries again by itself; whoever typed a command has to, so they are not told that it does. */
export function splitMend(text: string): SplitMessage {
  const [message = "", ...mend] = text.split("; to mend it: ");
  if (mend.length > 0) return { message, mend: mend.join("; to mend it: ") };
  const [down = "", look] = text.split("; it is tried again by itself");
  if (look === undefined) return { message: text };
  return { message: down, mend: look === "" ? "try it again later" : look.replace(/^, look with: /u, "look with:  ") };
}
