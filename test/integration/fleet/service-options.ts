/** Runs a process under another name than its service's, for example a second executor of one cluster. */
export interface ServiceOptions {
  readonly as?: string;
  readonly env?: Readonly<Record<string, string>>;
}
