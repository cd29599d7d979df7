import { askCheckout } from "../read/checkout/ask-checkout.ts";
import { readWho } from "../terminal/caller.ts";
import type { Terminal } from "../terminal/terminal.ts";

async function readSetting(name: string, cwd: string): Promise<string | undefined> {
  const found = (await askCheckout(cwd, ["config", "--get", name])) ?? "";
  return found === "" ? undefined : found; // Not set, or no git: the push of the commit will report that.
}

/** The author of this command's commits: as configured in git, else the shell's user. */
export async function readAuthor(terminal: Terminal): Promise<{ readonly name: string; readonly email: string }> {
  const who = readWho(terminal);
  const name = (await readSetting("user.name", terminal.cwd)) ?? who;
  const email = (await readSetting("user.email", terminal.cwd)) ?? `${who.replaceAll(/[^\w.-]/gu, "-")}@localhost`;
  return { name, email };
}
