import type { Session } from "../terminal/session.ts";
import type { Context } from "./config-form.ts";
import { addLogin, mergeEnvironment } from "./context-environment.ts";
import { type ChosenContext, chooseContext } from "./load-config.ts";
import { readSecret } from "./read-secret.ts";

/** Opens the bus of a context that leads through a cluster, when it is needed and once for a command. */
function makeReach({ nats }: Context, { terminal }: Session): (() => Promise<string>) | undefined {
  const plan = nats?.portForward;
  if (plan === undefined) return undefined;
  let opened: Promise<string> | undefined;
  const open = async (): Promise<string> => {
    const login = nats?.login === undefined ? undefined : readSecret("nats.login", nats.login, terminal);
    const { openPortForward } = await import("./port-forward.ts");
    const url = `nats://127.0.0.1:${await openPortForward(plan, terminal)}`;
    return login === undefined ? url : addLogin(url, login);
  };
  return async () => (opened ??= open());
}

/** Applies a context below the flags and variables of a command; does nothing where there is none. */
export function useContext(flag: string | undefined, session: Session): ChosenContext | undefined {
  const chosen = chooseContext(flag, session.terminal);
  if (chosen === undefined) return undefined;
  const { name, context, by } = chosen;
  session.terminal.explain?.(() => `context ${name} (by ${by})`);
  session.useEnvironment(mergeEnvironment(context, session.terminal));
  const reach = makeReach(context, session);
  if (reach !== undefined) session.useBus(reach);
  return chosen;
}
