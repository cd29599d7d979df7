import { z } from "zod";

import { Refusal } from "./refusal.ts";

/** Slack's own limits (docs.slack.dev, Block Kit reference). */
const mostBlocks = 50;

const mrkdwn = (most: number) =>
  z.strictObject({ type: z.literal("mrkdwn"), text: z.string().min(1).max(most), verbatim: z.boolean().optional() });
const plain = (most: number) =>
  z.strictObject({ type: z.literal("plain_text"), text: z.string().min(1).max(most), emoji: z.boolean().optional() });
const text = (most: number) => z.union([mrkdwn(most), plain(most)]);
const blockId = { block_id: z.string().max(255).optional() };

const block = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("header"), text: plain(150), ...blockId }),
  z.strictObject({ type: z.literal("divider"), ...blockId }),
  z
    .strictObject({
      type: z.literal("section"),
      text: text(3000).optional(),
      fields: z.array(text(2000)).min(1).max(10).optional(),
      ...blockId,
    })
    .refine((section) => section.text !== undefined || section.fields !== undefined, "needs text or fields"),
  z.strictObject({ type: z.literal("context"), elements: z.array(text(2000)).min(1).max(10), ...blockId }),
]);

export type SlackBlock = z.infer<typeof block>;

const metadata = z.strictObject({
  event_type: z.string().regex(/^\w+$/),
  event_payload: z.record(z.string(), z.unknown()),
});

export type SlackMetadata = z.infer<typeof metadata>;

function parseJson(word: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Refusal(word, ["not JSON"]);
  }
}

/** Blocks as a caller sends them; refuses what Slack refuses. */
export function readBlocks(json: string | undefined): readonly SlackBlock[] {
  if (json === undefined || json === "") return [];
  const raw = parseJson("invalid_blocks_format", json);
  if (!Array.isArray(raw)) throw new Refusal("invalid_blocks_format");
  if (raw.length > mostBlocks) throw new Refusal("invalid_blocks", [`no more than ${mostBlocks} items allowed`]);
  return raw.map((each: unknown, index) => {
    const parsed = block.safeParse(each);
    if (parsed.success) return parsed.data;
    const why = parsed.error.issues.map(
      ({ path, message }) => `${message} [json-pointer:/blocks/${index}/${path.join("/")}]`,
    );
    throw new Refusal("invalid_blocks", why);
  });
}

/** Metadata as a caller sends it. Its size limit is Slack's for one message's metadata. */
export function readMetadata(json: string | undefined): SlackMetadata | undefined {
  if (json === undefined || json === "") return undefined;
  if (json.length > 8_000) throw new Refusal("metadata_too_large");
  const parsed = metadata.safeParse(parseJson("invalid_metadata_format", json));
  if (!parsed.success) throw new Refusal("invalid_metadata_format", [parsed.error.message]);
  return parsed.data;
}
