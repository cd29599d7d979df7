import { askCheckout } from "../read/checkout/ask-checkout.ts";
import { readWho } from "../terminal/caller.ts";
import type { Terminal } from "../terminal/terminal.ts";

async function readSetting(name: string, cwd: string): Promise<string | undefined> {
  const found = (await askCheckout(cwd, ["config", "--get", name])) ?? "";
  return found === "" ? undefined : found; // Not set, or no git: the commit's own push will say that.
}

/** Who a commit of this command is by: as git itself would say, else the name of the shell. */
export async function readAuthor(terminal: Terminal): Promise<{ readonly name: string; readonly email: string }> {
  const who = readWho(terminal);
  const name = (await readSetting("user.name", terminal.cwd)) ?? who;
  const email = (await readSetting("user.email", terminal.cwd)) ?? `${who.replaceAll(/[^\w.-]/gu, "-")}@localhost`;
  return { name, email };
}
