import { Refusal } from "./refusal.ts";

/** EC2's states and their codes (API reference, InstanceState). */
export const stateCodes = {
  pending: 0,
  running: 16,
  "shutting-down": 32,
  terminated: 48,
  stopping: 64,
  stopped: 80,
} as const;

export type InstanceState = keyof typeof stateCodes;

export interface Ec2Machine {
  readonly id: string;
  state: InstanceState;
  readonly address: string;
  /** Of a second interface. */
  readonly otherAddress?: string;
  readonly tags: Map<string, string>;
}

/** EC2's limits (API reference, Tag), and what the metadata service of an instance can show. */
const mostTags = 50;
const longestKey = 127;
const longestValue = 256;
const shownKey = /^[A-Za-z0-9+\-=.,_:@]+$/u;

function checkTag(key: string, value: string): void {
  const isTooLong = key.length > longestKey || value.length > longestValue;
  if (isTooLong || key === "" || key.startsWith("aws:"))
    throw new Refusal(400, "InvalidParameterValue", `Value ( ${key} ) for parameter key is invalid.`);
  // Instances of the sandbox are launched with their tags in the metadata service.
  if (!shownKey.test(key)) {
    const why = `'${key}' is not a valid tag key. Tag keys must match pattern when instance metadata tags are enabled.`;
    throw new Refusal(400, "InvalidParameterValue", why);
  }
}

/** Sets tags of one instance: all or none. */
export function tagMachine(
  machines: ReadonlyMap<string, Ec2Machine>,
  id: string,
  tags: ReadonlyMap<string, string>,
): void {
  if (!/^i-[0-9a-f]{8,17}$/u.test(id)) throw new Refusal(400, "InvalidInstanceID.Malformed", `Invalid id: "${id}"`);
  const machine = machines.get(id);
  if (machine === undefined)
    throw new Refusal(400, "InvalidInstanceID.NotFound", `The instance ID '${id}' does not exist`);
  for (const [key, value] of tags) checkTag(key, value);
  if (new Set([...machine.tags.keys(), ...tags.keys()]).size > mostTags)
    throw new Refusal(400, "TagLimitExceeded", `The maximum number of tags for the resource has been reached.`);
  for (const [key, value] of tags) machine.tags.set(key, value);
}
