import { lookUp } from "#libs/input";

/** Values that depend on folder and fleet, by kind. */
export type ValueKind = "campaign" | "condition" | "runOrCampaign" | "scope" | "stage" | "stop";

/** By command and argument or long option. */
const kindByPlace: Readonly<Record<string, ValueKind>> = {
  "describe name": "runOrCampaign",
  "get name": "campaign",
  "history subject": "runOrCampaign",
  "plan --to": "stage",
  "resume --id": "stop",
  "retry subject": "runOrCampaign",
  "rollback --stage": "stage",
  "rollback subject": "runOrCampaign",
  "unhold --id": "stop",
  "wait --for": "condition",
};

/** Arguments with the same meaning for every command. */
const kindByArgument: Readonly<Record<string, ValueKind>> = { campaign: "campaign", scope: "scope" };

/** The kind of value at a place: an argument by its name, or an option by its long flag. */
export function findKind(command: string, place: string): ValueKind | undefined {
  return lookUp(kindByPlace, `${command} ${place}`) ?? lookUp(kindByArgument, place);
}
