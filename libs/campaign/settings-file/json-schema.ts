import { rolloutsSchema } from "#libs/rollouts";

import type { Schema } from "../fields/field.ts";
import { readCampaignFile } from "../schema/read-campaign.ts";
import { readSettingsFile } from "./parse-settings.ts";

function publish(name: string, title: string, description: string, schema: Schema): Schema {
  return {
    // Editors lag behind: draft-07 is what all of them know.
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: `https://meshroll.dev/schema/v1/${name}.json`,
    title,
    description,
    ...schema,
  };
}

/**
 * What editors and CI check without us, by the file's name in `schema/`: made from the readers themselves, so that neither can
 * accept a field that the other does not know.
 * @internal
 */
export const jsonSchemas: Readonly<Record<string, Schema>> = {
  "campaign.json": publish(
    "campaign",
    "Campaign",
    "How one revision is brought in through rollouts.yml, stage by stage: campaigns/<name>.yml of a rollouts repository.",
    readCampaignFile.schema,
  ),
  "meshroll.json": publish("meshroll", "meshroll.yml", "Settings of a rollouts repository.", readSettingsFile.schema),
  "rollouts.json": publish(
    "rollouts",
    "rollouts.yml",
    "Which share of which namespaces runs which revision.",
    rolloutsSchema,
  ),
};
