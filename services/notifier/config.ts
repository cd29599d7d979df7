import { scmVariables, requireWholeScm } from "#libs/scm";
import { installationVariable, natsTlsVariables, healthVariables, secret, urlWithLogin } from "#libs/runtime";
import { z } from "zod";

const channelId = "is not a channel's id (C…): open the channel's details in Slack, the id stands at the end";

/** The notifier's environment. docs/reference/configuration.md has a line for each. */
export const notifierConfig = z
  .object({
    ...installationVariable,
    MESHROLL_NATS_URL: urlWithLogin("the bus, for example nats://127.0.0.1:4222"),
    ...natsTlsVariables,
    /** A bot token; without it nothing is posted to Slack. */
    MESHROLL_SLACK_TOKEN: secret().optional(),
    MESHROLL_SLACK_CHANNEL: z
      .string()
      .regex(/^[CG][A-Z0-9]{5,}$/, channelId)
      .optional(),
    /** Default: Slack itself. */
    MESHROLL_SLACK_API_URL: z.url("is not a URL").optional(),
    MESHROLL_LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
    MESHROLL_SANDBOX_CLOCK: z.string().optional(),
    ...healthVariables,
    ...scmVariables,
  })
  .superRefine(requireWholeScm)
  .refine(({ MESHROLL_SLACK_TOKEN: token, ...slack }) => token !== undefined || isUnused(slack), {
    path: ["MESHROLL_SLACK_TOKEN"],
    message: "is not set; the app's bot token (xoxb-…), or unset MESHROLL_SLACK_CHANNEL and MESHROLL_SLACK_API_URL",
    when: isRead,
  })
  .refine(
    ({ MESHROLL_SLACK_TOKEN: token, MESHROLL_SLACK_CHANNEL: channel }) => token === undefined || channel !== undefined,
    {
      path: ["MESHROLL_SLACK_CHANNEL"],
      message: "is not set; the id (C…) of the channel to tell, or unset MESHROLL_SLACK_TOKEN",
      when: isRead,
    },
  )
  // Without a sink no message would ever be posted, and it would look as if there were none.
  .refine(
    (config) =>
      config.MESHROLL_GITHUB_REPOSITORY !== undefined || !isUnused(config) || config.MESHROLL_SLACK_TOKEN !== undefined,
    {
      path: ["MESHROLL_SLACK_TOKEN"],
      message: "is not set, and neither is MESHROLL_GITHUB_REPOSITORY: the notifier needs at least one of both",
      when: isRead,
    },
  );

interface SlackPlace {
  readonly MESHROLL_SLACK_CHANNEL?: unknown;
  readonly MESHROLL_SLACK_API_URL?: unknown;
}

function isUnused({ MESHROLL_SLACK_CHANNEL: channel, MESHROLL_SLACK_API_URL: url }: SlackPlace): boolean {
  return channel === undefined && url === undefined;
}

/** All problems at once: checks over two variables run although another variable is wrong. */
function isRead({ value }: { readonly value: unknown }): boolean {
  return typeof value === "object" && value !== null;
}
