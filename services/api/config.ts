import { installationVariable, natsTlsVariables, port, secret, urlWithLogin } from "#libs/runtime";
import { shortestVmKey } from "#libs/vms";
import { z } from "zod";

/** Shorter secrets can be guessed. */
const shortestSecret = 16;

function vmKey() {
  return secret().refine((value) => value.reveal().length >= shortestVmKey, {
    message: `must have at least ${shortestVmKey} characters; make one with: openssl rand -hex 32`,
  });
}

function webhookSecret() {
  return secret().refine((value) => value.reveal().length >= shortestSecret, {
    message: `must have at least ${shortestSecret} characters; make one with: openssl rand -hex 32`,
  });
}

/** Names of hosts with blanks or commas between them; default none. */
function hostNames() {
  return z
    .string()
    .default("")
    .transform((text) =>
      text
        .toLowerCase()
        .split(/[\s,]+/u)
        .filter((name) => name !== ""),
    )
    .refine((names) => names.every((name) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/u.test(name)), {
      message: "must be names of hosts without a port, for example meshroll.example.com",
    });
}

/** The api's environment. docs/reference/configuration.md has a line for each. */
export const apiConfig = z
  .object({
    ...installationVariable,
    MESHROLL_API_HOST: z.string().default("127.0.0.1"),
    MESHROLL_API_PORT: port().default(8080),
    MESHROLL_API_NAMES: hostNames(),
    /** `off`: only programs are answered. */
    MESHROLL_API_PAGE: z.enum(["on", "off"]).default("on"),
    MESHROLL_NATS_URL: urlWithLogin("the bus, for example nats://127.0.0.1:4222"),
    ...natsTlsVariables,
    /** The branch whose pushes cause a fetch. */
    MESHROLL_BRANCH: z.string().default("main"),
    /** Without it no webhook is accepted, and the planner polls. */
    MESHROLL_GITHUB_WEBHOOK_SECRET: webhookSecret().optional(),
    /** The previous secret, accepted while the secret is being changed. */
    MESHROLL_GITHUB_WEBHOOK_SECRET_PREVIOUS: webhookSecret().optional(),
    /** Signs join tokens and credentials of VMs; without it none can register. */
    MESHROLL_API_VM_KEY: vmKey().optional(),
    /** The key before, which is still read while VMs register again. */
    MESHROLL_API_VM_KEY_PREVIOUS: vmKey().optional(),
    MESHROLL_LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
  })
  .refine(
    (config) =>
      config.MESHROLL_GITHUB_WEBHOOK_SECRET !== undefined ||
      config.MESHROLL_GITHUB_WEBHOOK_SECRET_PREVIOUS === undefined,
    {
      path: ["MESHROLL_GITHUB_WEBHOOK_SECRET"],
      message: "is not set, though MESHROLL_GITHUB_WEBHOOK_SECRET_PREVIOUS is",
    },
  )
  .refine((config) => config.MESHROLL_API_VM_KEY !== undefined || config.MESHROLL_API_VM_KEY_PREVIOUS === undefined, {
    path: ["MESHROLL_API_VM_KEY"],
    message: "is not set, though MESHROLL_API_VM_KEY_PREVIOUS is",
  });
