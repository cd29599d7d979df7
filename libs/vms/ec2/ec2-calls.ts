/** An instance as EC2 lists it. */
export interface Ec2Instance {
  readonly id: string;
  /** `pending`, `running`, `stopping`, `stopped`, `shutting-down` or `terminated`. */
  readonly state: string;
  /** Private ones of all its interfaces, the primary one first; and those of IPv6. */
  readonly addresses: readonly string[];
  readonly tags: ReadonlyMap<string, string>;
}

/** A tag by which instances are chosen; `*` in its value stands for any text. */
export interface TagFilter {
  readonly key: string;
  readonly value: string;
}

/** The two calls of EC2 that are made. They throw what the SDK throws. */
export interface Ec2Calls {
  /** All pages of all instances that have this tag and are not terminated. */
  listInstances(tag: TagFilter, signal: AbortSignal): Promise<readonly Ec2Instance[]>;
  createTags(id: string, tags: readonly (readonly [key: string, value: string])[]): Promise<void>;
}
