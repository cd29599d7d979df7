import { rolloutsSchema } from "#libs/rollouts";

import type { Schema } from "../fields/field.ts";
import { readCampaignFile } from "../schema/read-campaign.ts";
import { readSettingsFile } from "./parse-settings.ts";

function publish(name: string, title: string, description: string, schema: Schema): Schema {
  return {
    // draft-07 is known to all editors.
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: `https://meshroll.dev/schema/v1/${name}.json`,
    title,
    description,
    ...schema,
  };
}

/**
 * Schemas for editors and CI, by file name in `schema/`, made from the readers so that both accept the same fields. @internal
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
