import { openBus } from "#libs/bus";
import { readTls, ConfigProblems, createLogger, createVitals, openClock, readConfig, runService } from "#libs/runtime";

import { apiConfig } from "./config.ts";
import { readPage } from "./page/read-page.ts";
import { createApi } from "./service.ts";

const log = createLogger("api");

await runService(log, async (signal, closers) => {
  const config = readConfig(apiConfig, process.env);
  const clock = openClock(undefined);
  const bus = await openBus({
    url: config.MESHROLL_NATS_URL,
    installation: config.MESHROLL_INSTALLATION,
    tls: readTls(config, "NATS"),
    name: "meshroll-api",
    patient: true,
    onFault: (fault) => log.warn({ fault }, "a NATS fault: it is retried"),
  });
  closers.add("bus", async () => bus.close());
  const { MESHROLL_GITHUB_WEBHOOK_SECRET: newest, MESHROLL_GITHUB_WEBHOOK_SECRET_PREVIOUS: previous } = config;
  const webhookSecrets = [newest, previous].flatMap((secret) => (secret === undefined ? [] : [secret.reveal()]));
  const vmKeys = [config.MESHROLL_API_VM_KEY, config.MESHROLL_API_VM_KEY_PREVIOUS];
  const vitals = createVitals(clock);
  const page = config.MESHROLL_API_PAGE === "off" ? "off" : readPage(new URL("../../page/built/", import.meta.url));
  const parts = {
    bus,
    clock,
    log,
    vitals,
    branch: config.MESHROLL_BRANCH,
    names: config.MESHROLL_API_NAMES,
    webhookSecrets,
    vmKeys: vmKeys.flatMap((key) => key?.reveal() ?? []),
  };
  const api = await createApi({ ...parts, ...(page === undefined ? {} : { page }) }, signal);
  closers.add("http", async () => api.server.close());
  const address = { host: config.MESHROLL_API_HOST, port: config.MESHROLL_API_PORT };
  const url = await api.server.listen(address).catch((error: unknown) => {
    throw new ConfigProblems([{ name: "MESHROLL_API_PORT", message: `cannot be served: ${String(error)}` }]);
  });
  log.info({ url, webhooks: webhookSecrets.length > 0, page: page !== undefined && page !== "off" }, "the api runs");
  await api.run();
});
