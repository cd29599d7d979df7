/** A process under another name than its service's: two executors of one cluster, say. */
export interface ServiceOptions {
  readonly as?: string;
  readonly env?: Readonly<Record<string, string>>;
}
