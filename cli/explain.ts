import type { Define, Invocation } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { explainNamespace, type Explanation } from "./explanation.ts";
import { readFindingPage } from "./finding-page.ts";
import { loadSpec } from "./load-spec.ts";
import { isNamespaceName } from "./namespace-lines.ts";
import { addOutputOption, type OutputOptions } from "./output-option.ts";
import { printExplanation, printShort } from "./print-explanation.ts";
import { Refusal } from "./refusal.ts";
import { addSpecOptions, type SpecOptions } from "./spec-options.ts";

type Format = "human" | "json" | "short";

const printers: Readonly<Record<Format, (explanation: Explanation) => string>> = {
  human: printExplanation,
  json: (explanation) => `${JSON.stringify(explanation, null, 2)}\n`,
  short: printShort,
};

function explainCode(code: string): string {
  const section = readFindingPage(code);
  if (section !== undefined) return section;
  throw new Refusal(exitCodes.usage, `${code} is not a finding's code`, "docs/reference/findings.md lists them");
}

/** `meshroll explain NAMESPACE|MRnnnn`. Names of namespaces have no capitals, so the two never meet. */
export const define: Define = (command, { terminal }: Invocation) => {
  addOutputOption(addSpecOptions(command), ["human", "json", "short"] satisfies [Format, ...Format[]])
    .argument("<subject>", "a namespace, or the code of a finding such as MR1004")
    .action(async (subject: string, options: SpecOptions & OutputOptions<Format>) => {
      if (/^MR\d{4}$/.test(subject)) {
        terminal.stdout.write(explainCode(subject));
        return;
      }
      if (!isNamespaceName(subject)) {
        throw new Refusal(exitCodes.usage, `\`${subject}\` is neither a namespace's name nor the code of a finding`);
      }
      const explanation = explainNamespace(await loadSpec(options, terminal), subject);
      terminal.stdout.write(printers[options.output](explanation));
    });
};
