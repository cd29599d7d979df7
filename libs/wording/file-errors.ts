/** The first error of a file, with its place. */
export interface FileError {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** What an error in a campaign's file keeps from moving. */
export function explainUnread(file: string, error: FileError): string {
  const place = `${error.file}:${error.line}:${error.column} ${error.message}`;
  return `${file} has errors (${place}): nothing of this campaign moves forward or is proposed`;
}
