/** Who can do what in the demo's GitHub: ana proposes, ben reviews, meshroll has the least. */
export const users = {
  ana: { login: "ana", token: "demo-token-of-ana", admin: true },
  ben: { login: "ben", token: "demo-token-of-ben" },
  meshroll: { login: "meshroll", token: "demo-token-of-meshroll" },
} as const;

/** Every demo is the same installation. */
export const demoInstallation = "meshrolldemo";

/** What the demo's GitHub signs its webhooks with. */
export const webhookSecret = "demo-secret-of-the-webhooks";

/** The demo's Slack: meshroll's bot, and the channel that it tells. */
export const slackToken = "xoxb-demo-token-of-meshroll";
export const slackChannel = "C0MESHROLL";
