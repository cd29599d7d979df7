import type { AppRole, Registration } from "#libs/scm";
import { Argument, InvalidArgumentError } from "commander";

import { addOutputOption, type OutputOptions } from "../../options/output-option.ts";
import { type IdleFlags, refuseIdle } from "../../session/idle-flags.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { Define } from "../../terminal/command.ts";
import type { Sentence } from "../../terminal/sentence.ts";
import { readWidth, type Terminal, write } from "../../terminal/terminal.ts";
import { chooseProse, wrapSentences } from "../../text/wrap-text.ts";

type Format = "human" | "json" | "name";

interface Options extends OutputOptions<Format> {
  readonly org?: string;
  readonly name?: string;
  readonly homepage?: string;
  readonly webhook?: string;
  readonly executor?: boolean;
}

/** GitHub's limit for the name of an App. */
const mostName = 34;

function readName(text: string): string {
  if (/^[a-z0-9][a-z0-9 -]*$/iu.test(text) && text.length <= mostName) return text;
  throw new InvalidArgumentError(`An App's name has letters, digits and -, ${mostName} characters at most.`);
}

function readOrganisation(text: string): string {
  if (/^[a-z0-9](?:[a-z0-9-]{0,38})$/iu.test(text)) return text;
  throw new InvalidArgumentError("The name of an organization has letters, digits and -.");
}

function readAddress(text: string): string {
  const url = URL.parse(text);
  const isPlain =
    url !== null && ["https:", "http:"].includes(url.protocol) && url.username === "" && url.password === "";
  if (isPlain) return text;
  // The text may contain a password, so it is not quoted.
  throw new Refusal(exitCodes.usage, "give an address such as https://meshroll.example.com, without a password");
}

/** GitHub's web address; an Enterprise Server has its API below the same address. */
function findServer({ env }: Terminal): string {
  const api = URL.parse(env["MESHROLL_GITHUB_API_URL"] ?? "");
  return api === null || api.hostname === "api.github.com" ? "https://github.com" : api.origin;
}

async function describe(options: Options, terminal: Terminal): Promise<Registration> {
  const { describeRegistration } = await import("#libs/scm");
  const { org, webhook, executor } = options;
  const role: AppRole = executor === true ? "executor" : "services";
  const server = findServer(terminal);
  const suggested = `meshroll${org === undefined ? "" : `-${org}`}${role === "executor" ? "-executor" : ""}`;
  return describeRegistration({
    role,
    name: options.name ?? suggested.slice(0, mostName),
    server,
    home: options.homepage ?? `${server}/${terminal.env["MESHROLL_GITHUB_REPOSITORY"] ?? org ?? ""}`,
    ...(org === undefined ? {} : { organisation: org }),
    ...(webhook === undefined ? {} : { webhook }),
  });
}

function printRights({ manifest: { default_permissions: rights } }: Registration): readonly string[] {
  const width = Math.max(...Object.keys(rights).map((right) => right.length));
  return Object.entries(rights).map(([right, level]) => `  ${right.padEnd(width)}  ${level}`);
}

function printSteps(registration: Registration, { webhook, executor }: Options): readonly Sentence[] {
  const users = executor === true ? "the executor" : "planner, notifier and your shell";
  const secret = "   with Webhook secret: the value of MESHROLL_GITHUB_WEBHOOK_SECRET";
  return [
    "1. Open this address: GitHub's form is filled in. Check it and create the App.",
    registration.address,
    ...(webhook === undefined ? [] : [secret]),
    "2. It asks for these rights, and no others:",
    ...printRights(registration),
    "3. Generate a private key (General, Private keys), and install the App for the rollouts repository alone.",
    `4. Give ${users} its id, at the top of its settings, and the key's file:`,
    "   MESHROLL_GITHUB_APP_ID, MESHROLL_GITHUB_APP_KEY_FILE",
    ["5. ", { command: "meshroll doctor --only github" }, "  proves each right"],
    ...(executor === true
      ? []
      : [["Executors need an App that only reads: ", { command: "meshroll github setup --executor" }] as const]),
  ];
}

function print(registration: Registration, options: Options, terminal: Terminal): string {
  if (options.output === "name") return `${registration.address}\n`;
  if (options.output === "json") {
    const whole = { apiVersion: "meshroll.dev/v1", kind: "GitHubApp", ...registration };
    return `${JSON.stringify(whole, undefined, 2)}\n`;
  }
  const lines = wrapSentences(printSteps(registration, options), terminal, chooseProse(readWidth(terminal)));
  return `${lines.join("\n")}\n`;
}

const idle: readonly IdleFlags<Options>[] = [
  {
    flags: ["webhook"],
    when: ({ executor }) => executor === true,
    because: "would do nothing: executors receive no webhooks",
  },
];

/**
 * `meshroll github setup`: a page that registers the GitHub App with exactly the rights that the services use. Sends nothing.
 */
export const define: Define = (command, { terminal }) => {
  refuseIdle(addOutputOption(command, ["human", "json", "name"]), idle)
    .addArgument(new Argument("<what>", "setup: GitHub's form that registers the App, filled in").choices(["setup"]))
    .option("--org <organization>", "who owns the App; your own account by default", readOrganisation)
    .option("--name <name>", "the App's name; meshroll-ORGANIZATION by default", readName)
    .option("--executor", "an App that only reads, for executors")
    .option("--webhook <url>", "where the api takes webhooks, such as https://HOST/webhooks/github", readAddress)
    .option("--homepage <url>", "a page about the App; the rollouts repository by default", readAddress)
    .action(async (_: string, options: Options) =>
      write(terminal.stdout, print(await describe(options, terminal), options, terminal)),
    );
};
