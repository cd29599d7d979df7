export { judgeVmGroup, type VmGroupVerdict } from "./judge-vm-group.ts";
export { planVmTags, type VmTagPlan, type VmTagQuestion } from "./plan-vm-tags.ts";
