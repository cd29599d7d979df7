export { printStageBranch, readStageBranch } from "./branch.ts";
export { editStage } from "./edit-stage.ts";
export { nameOwners } from "./find-obstacle.ts";
export { followPulls } from "./follow-pulls.ts";
export { judgeStages } from "./judge-stages.ts";
export { printRule } from "./outlook.ts";
export { proposeStage } from "./propose-stage.ts";
export type { NextStage, ProposedStage, StageVerdict } from "./verdict.ts";
