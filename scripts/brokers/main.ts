import { fileURLToPath } from "node:url";

import { testInstallation } from "#libs/input";

import { startBrokers } from "./start-brokers.ts";

// Runs Redis and NATS as the demo and the tests do, until Ctrl-C. The lines on stdout can be pasted into a shell.
const folder = process.argv[3] ?? fileURLToPath(new URL("../../.run/brokers", import.meta.url));

if (process.argv[2] !== "up") {
  process.stderr.write("usage: node scripts/brokers/main.ts up [FOLDER]   (ends with Ctrl-C)\n");
  process.exit(64);
}

const asked = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => resolve());
});

try {
  const installation = process.env["MESHROLL_INSTALLATION"] ?? testInstallation;
  const brokers = await startBrokers({ folder, installation, log: (line) => void process.stderr.write(`${line}\n`) });
  process.stdout.write(`export REDIS_URL=${brokers.redisUrl}\nexport NATS_URL=${brokers.natsUrl}\n`);
  process.stdout.write(`export MESHROLL_INSTALLATION=${installation}\n`);
  process.stderr.write(`data and logs: ${folder}; end them with Ctrl-C\n`);
  // The servers are unreferenced children, so a timer must keep this process alive.
  const alive = setInterval(() => undefined, 60_000);
  await asked;
  clearInterval(alive);
  await brokers.stop();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
