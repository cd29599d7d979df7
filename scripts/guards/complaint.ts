/** One finding of a guard. Without a line it is about the whole file. */
export interface Complaint {
  readonly path: string;
  readonly line?: number;
  /** What is wrong and how to fix it. */
  readonly message: string;
}

/** `path:line  message`, which editors and terminals turn into a link. */
export function printComplaint({ path, line, message }: Complaint): string {
  return `${path}${line === undefined ? "" : `:${line}`}  ${message}`;
}
