// Reads /healthz of a service on this machine, for containers whose images have no curl. Plain JavaScript, so that nothing
// is compiled every few seconds. Use: node scripts/probe-health.mjs [PORT]
const port = process.argv[2] ?? process.env.MESHROLL_HEALTH_PORT;
const limitMs = 3000;

/** Sets the exit code: 0 is healthy, 1 is not. */
function end(code, message) {
  (code === 0 ? process.stdout : process.stderr).write(`${message}\n`);
  process.exitCode = code;
}

if (port === undefined || port === "") {
  end(1, "no port to ask: give it as an argument or as MESHROLL_HEALTH_PORT");
} else {
  const url = `http://127.0.0.1:${port}/healthz`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
    end(answer.ok ? 0 : 1, `${url}: ${answer.status} ${(await answer.text()).trim()}`);
  } catch (error) {
    end(1, `${url}: ${error.cause?.message ?? error.message}`);
  }
}
