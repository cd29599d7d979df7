import type { CampaignWalk } from "../campaign-walk.ts";
import { type Break, printCampaign, type WalkCampaign } from "./shape.ts";
import { pick } from "../walk-fleet.ts";

const nameFile = (name: string): string => `campaigns/${name}.yml`;

/** A second campaign that contradicts the walk's own. */
export const copyFile = nameFile("copy");

/** Possible errors: invalid YAML, an unknown key, or another campaign that sets the same bucket. */
function makeFaults(shape: WalkCampaign): readonly Omit<Break, "from">[] {
  const text = printCampaign(shape);
  const file = nameFile(shape.name);
  const own = { name: shape.name, repair: { [file]: text } };
  return [own, own, { name: shape.name, repair: { [copyFile]: null } }];
}

const texts: readonly ((shape: WalkCampaign) => Readonly<Record<string, string>>)[] = [
  (shape) => ({ [nameFile(shape.name)]: `${printCampaign(shape)}  stages: [\n` }),
  (shape) => ({ [nameFile(shape.name)]: printCampaign(shape).replace("  target: new", "  target: new\n  windos: []") }),
  (shape) => ({ [copyFile]: printCampaign({ ...shape, name: "copy" }) }),
];

/** Merges an error into the campaign's file, unless it has one already or main has no campaign. */
export function breakCampaign(walk: CampaignWalk, a: number): void {
  const shape = walk.shapes.at(-1)?.shape;
  const [print, fault] = [pick(texts, a), shape === undefined ? undefined : pick(makeFaults(shape), a)];
  if (shape === undefined || print === undefined || fault === undefined || walk.broken !== undefined) return;
  walk.tell(`the campaign's file on main has an error: ${Object.keys(print(shape)).join()}`);
  walk.broken = { ...fault, from: walk.flow.clock.now() };
  walk.merges += 1;
  walk.flow.whenCampaignMerged(print(shape), "cleo");
}
