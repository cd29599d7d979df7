import { readableFile } from "#libs/runtime";
import { z } from "zod";

function seconds(least: number, most: number) {
  const message = `is not a number of seconds from ${least} to ${most}`;
  return z.coerce.number(message).min(least, message).max(most, message);
}

/** The agent's environment. docs/reference/configuration.md has a line for each. */
export const agentConfig = z.object({
  MESHROLL_AGENT_STORE: z.string("the artifact store: https://…, or a folder"),
  /** A file with a token that the store's server asks for. */
  MESHROLL_AGENT_STORE_TOKEN_FILE: readableFile().optional(),
  /** Default: /etc/meshroll-agent/tag, below the root. */
  MESHROLL_AGENT_TAG_FILE: z.string().startsWith("/", "is not an absolute path").optional(),
  MESHROLL_AGENT_READY_URL: z
    .url({ protocol: /^https?$/, error: "is not an http:// address" })
    .default("http://127.0.0.1:15021/healthz/ready"),
  MESHROLL_AGENT_BASE_ID: z.coerce
    .number("is not a number")
    .int("is not a whole number")
    .min(0)
    .max(100_000)
    .default(0),
  MESHROLL_AGENT_POLL_SECONDS: seconds(1, 3600).default(30),
  MESHROLL_AGENT_READY_SECONDS: seconds(1, 600).default(40),
  MESHROLL_AGENT_SETTLE_SECONDS: seconds(1, 600).default(10),
  MESHROLL_AGENT_PROBATION_SECONDS: seconds(1, 86_400).default(600),
  MESHROLL_AGENT_DRAIN_SECONDS: seconds(1, 3600).default(45),
  MESHROLL_LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
});

export type AgentConfig = z.infer<typeof agentConfig>;
