export { countLines } from "./count-listed.ts";
export { estimateRollback } from "./stage-facts/estimate.ts";
export { readStageBranch } from "./stages/branch.ts";
export { followPulls } from "./stages/follow-pulls.ts";
export { judgeStages } from "./stages/judge-stages.ts";
export { nameStage, type StageVerdict } from "./stages/verdict.ts";
