import { measureKill } from "./kill.ts";
import { measureMerges } from "./merge.ts";
import { measurePauses } from "./pause.ts";
import { measureWipe } from "./wipe.ts";

// Plays one scenario with meshroll's own processes and sends the reading to the bench that started it.
const scenarios: Readonly<Record<string, () => Promise<unknown>>> = {
  kill: measureKill,
  pause: measurePauses,
  poll: async () => measureMerges(false),
  webhook: async () => measureMerges(true),
  wipe: measureWipe,
};

const scenario = scenarios[process.argv[2] ?? ""];
if (scenario === undefined) throw new Error(`name a scenario: ${Object.keys(scenarios).join(", ")}`);
const reading = await scenario();
if (process.send === undefined) console.log(reading);
else process.send({ reading }, () => process.disconnect());
