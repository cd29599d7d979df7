/** One thing that a guard refuses. Without a line it is about the whole file. */
export interface Complaint {
  readonly path: string;
  readonly line?: number;
  /** What is wrong and what to do about it. */
  readonly message: string;
}

/** `path:line  message`, the form that editors and terminals turn into a link. */
export function printComplaint({ path, line, message }: Complaint): string {
  return `${path}${line === undefined ? "" : `:${line}`}  ${message}`;
}
