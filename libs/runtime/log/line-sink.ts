/** A stream of the process that lines are written to. */
interface LineStream {
  write(line: string, done: (error?: Error | null) => void): unknown;
  on(event: "error", listener: () => void): unknown;
}

/**
 * Writes lines, and continues where one cannot be written: a full disk under the log must not end a service. The number of lost
 * lines is written with the next one.
 */
export function createLineSink(stream: LineStream, describeLost: (lost: number) => string): (line: string) => void {
  let lost = 0;
  let isListening = false;

  function write(line: string): void {
    stream.write(line, (error) => {
      if (error) lost += 1;
      else if (lost > 0) {
        const note = describeLost(lost);
        lost = 0;
        write(note);
      }
    });
  }

  return (line) => {
    // Without a listener the error would end the process; each write's callback reports it.
    if (!isListening) stream.on("error", () => undefined);
    isListening = true;
    write(line);
  };
}
