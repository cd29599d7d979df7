import { readFileSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import { type Mutant, nameMutant } from "./mutant.ts";

/** A mutant as Stryker hands it to a checker. */
interface Handed {
  readonly id: string;
  readonly fileName: string;
  readonly location: { readonly start: Mutant["start"]; readonly end: Mutant["start"] };
  readonly replacement: string;
}

type Verdict = { readonly status: "passed" } | { readonly status: "compileError"; readonly reason: string };

/** Lets only the chosen mutants through: Stryker itself draws no sample. */
class ChosenChecker {
  readonly #root = process.env["MESHROLL_MUTATION_ROOT"] ?? "";
  #chosen: ReadonlySet<string> = new Set();

  init(): Promise<void> {
    const names = readFileSync(process.env["MESHROLL_MUTATION_CHOSEN"] ?? "", "utf8");
    this.#chosen = new Set(JSON.parse(names) as readonly string[]);
    return Promise.resolve();
  }

  group(mutants: readonly Handed[]): Promise<readonly (readonly string[])[]> {
    return Promise.resolve([mutants.map(({ id }) => id)]);
  }

  check(mutants: readonly Handed[]): Promise<Readonly<Record<string, Verdict>>> {
    return Promise.resolve(Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#judge(mutant)])));
  }

  #judge({ fileName, location, replacement }: Handed): Verdict {
    const name = nameMutant({ file: relative(this.#root, fileName), ...location, replacement });
    return this.#chosen.has(name) ? { status: "passed" } : { status: "compileError", reason: "not in the sample" };
  }
}

/** What Stryker looks for in a plugin. */
export const strykerPlugins = [{ kind: "Checker", name: "chosen", injectableClass: ChosenChecker }];
