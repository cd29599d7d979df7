import { isIP } from "node:net";

import { isVmName } from "#libs/events";
import { readableFile } from "#libs/runtime";
import { z } from "zod";

import { isApiAddress } from "./api/api-client.ts";

function seconds(least: number, most: number) {
  const message = `is not a number of seconds from ${least} to ${most}`;
  return z.coerce.number(message).min(least, message).max(most, message);
}

const variables = z.object({
  MESHROLL_AGENT_STORE: z.string("the artifact store: https://…, or a folder"),
  /** A file with a token that the store's server asks for. */
  MESHROLL_AGENT_STORE_TOKEN_FILE: readableFile().optional(),
  /** Default: /etc/meshroll-agent/tag, below the root. */
  MESHROLL_AGENT_TAG_FILE: z.string().startsWith("/", "is not an absolute path").optional(),
  /** Where the tag comes from; default: the file where it is named or there is no api, else the api. */
  MESHROLL_AGENT_TAG: z.enum(["file", "api", "ec2"], "is not file, api or ec2").optional(),
  /** Without it nothing is reported but to a file. */
  MESHROLL_AGENT_API: z
    .string()
    .refine(
      isApiAddress,
      "is not an address as https://meshroll.example.com, without a login (http:// of this machine alone)",
    )
    .optional(),
  /** Default: /etc/meshroll-agent/join-token, below the root. */
  MESHROLL_AGENT_JOIN_TOKEN_FILE: z.string().startsWith("/", "is not an absolute path").optional(),
  /** Default: the host's name in small letters; with tags of EC2 the id of the instance. */
  MESHROLL_AGENT_NAME: z.string().refine(isVmName, "is not a name of small letters, digits, - and dots").optional(),
  /** Default: the first address of IPv4 that is not of this machine alone. */
  MESHROLL_AGENT_ADDRESS: z
    .string()
    .refine((text) => isIP(text) !== 0, "is not an IP address")
    .optional(),
  /** Another one for tests. */
  MESHROLL_AGENT_EC2_METADATA: z
    .url({ protocol: /^https?$/, error: "is not an http:// address" })
    .default("http://169.254.169.254"),
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

/** The agent's environment. docs/reference/configuration.md has a line for each. */
export const agentConfig = variables
  .refine(({ MESHROLL_AGENT_TAG: from, MESHROLL_AGENT_API: api }) => from !== "api" || api !== undefined, {
    path: ["MESHROLL_AGENT_API"],
    message: "is not set, though MESHROLL_AGENT_TAG is api",
  })
  .refine(
    ({ MESHROLL_AGENT_TAG: from = "file", MESHROLL_AGENT_TAG_FILE: file }) => from === "file" || file === undefined,
    { path: ["MESHROLL_AGENT_TAG_FILE"], message: "is set, though MESHROLL_AGENT_TAG is another than file" },
  );

export type AgentConfig = z.infer<typeof agentConfig>;
