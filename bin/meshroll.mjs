#!/usr/bin/env node
// The CLI's launcher: plain JavaScript, so that the system's Node (>= 20) can start it on a bare clone.
import { install, start } from "../scripts/setup.mjs";

install();
start("cli/main.ts", process.argv.slice(2));
