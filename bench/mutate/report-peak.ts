import { writeSync } from "node:fs";

import { readPeakRss } from "../read-process.ts";

// Loaded into another program by `--import`: its last line on standard error is its peak memory, in bytes.
process.on("exit", () => writeSync(2, `${readPeakRss()}\n`));
