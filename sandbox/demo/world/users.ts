/** The users of the demo's SCM: ana proposes, ben reviews, and cleo with him where no one is known to have pushed. */
export const users = {
  ana: { login: "ana", token: "demo-token-of-ana", admin: true },
  ben: { login: "ben", token: "demo-token-of-ben" },
  cleo: { login: "cleo", token: "demo-token-of-cleo" },
  meshroll: { login: "meshroll", token: "demo-token-of-meshroll" },
} as const;

export type Login = keyof typeof users;

/** All demos are the same installation. */
export const demoInstallation = "meshrolldemo";

/** Secret that signs the webhooks of the demo's SCM. */
export const webhookSecret = "demo-secret-of-the-webhooks";

/** The token of meshroll's bot in the demo's Slack; below, the channel that it posts to. */
export const slackToken = "xoxb-demo-token-of-meshroll";
export const slackChannel = "C0MESHROLL";
