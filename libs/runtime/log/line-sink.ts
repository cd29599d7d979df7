/** What lines are written to: a stream of the process. */
interface LineStream {
  write(line: string, done: (error?: Error | null) => void): unknown;
  on(event: "error", listener: () => void): unknown;
}

/**
 * Writes lines, and goes on where one cannot be written: a full disk under the log must not end a service that watches over
 * workloads. How many were lost is said with the next one that is taken.
 */
export function createLineSink(stream: LineStream, tellLost: (lost: number) => string): (line: string) => void {
  let lost = 0;
  let isListening = false;

  function write(line: string): void {
    stream.write(line, (error) => {
      if (error) lost += 1;
      else if (lost > 0) {
        const told = tellLost(lost);
        lost = 0;
        write(told);
      }
    });
  }

  return (line) => {
    // Without a listener the error would end the process; who is told of it is the callback of each write.
    if (!isListening) stream.on("error", () => undefined);
    isListening = true;
    write(line);
  };
}
