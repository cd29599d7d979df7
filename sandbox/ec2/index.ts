export { type Ec2, type Ec2Call, type Ec2Fault, type Ec2Options, startEc2 } from "./start-ec2.ts";
export type { Ec2Machine, InstanceState } from "./instances.ts";
