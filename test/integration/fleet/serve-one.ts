import { testInstallation } from "#libs/input";
import { serveBatches } from "#libs/queue";

// A worker process for tests that kill it: prints the run of each batch and holds it until its signal.
const [url = "", cluster = ""] = process.argv.slice(2);
const onFault = (fault: string) => void process.stderr.write(`${fault}\n`);
const worker = serveBatches<{ readonly run: string }>({ installation: testInstallation, url, onFault })(
  cluster,
  async (held) => {
    process.stdout.write(`${held.job.run}\n`);
    await new Promise((resolve) => held.signal.addEventListener("abort", resolve));
  },
);
process.on("SIGTERM", () => void worker.close().then(() => process.stdout.write("closed\n")));
