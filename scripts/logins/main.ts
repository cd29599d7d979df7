import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { isClusterName } from "#libs/events";

import { readAddresses } from "./write-env-files.ts";
import { writeLogins } from "./write-logins.ts";

// Writes the logins of an installation: without arguments those that docker-compose.yml needs. To be run again after a
// change of .env.
const { values } = parseArgs({
  options: {
    env: { type: "string", default: fileURLToPath(new URL("../../.env", import.meta.url)) },
    out: { type: "string", default: fileURLToPath(new URL("../../.brokers", import.meta.url)) },
    // Clusters whose executor runs elsewhere, each with a login of its own.
    alone: { type: "string", default: "" },
    // Of both servers, as services in a cluster reach them.
    addresses: { type: "string" },
  },
});

const alone = values.alone.split(",").filter((name) => name !== "");
const wrong = alone.filter((name) => !isClusterName(name));
if (wrong.length > 0) {
  process.stderr.write(`--alone: ${wrong.join(", ")} is not a cluster name: use [a-z0-9-]\n`);
  process.exit(64);
}

try {
  const addresses = values.addresses === undefined ? {} : { addresses: readAddresses(values.addresses) };
  const files = { envFile: values.env, folder: values.out, alone, ...addresses };
  for (const line of writeLogins(files)) process.stdout.write(`${line}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 78;
}
