export { judgeVmGroup } from "./judge-vm-group.ts";
export { planVmTags, type VmTagPlan } from "./plan-vm-tags.ts";
