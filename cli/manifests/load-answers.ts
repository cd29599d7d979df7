import { dirname, resolve } from "node:path";

import { isManagedNamespace, type Settings } from "#libs/campaign";
import type { ManifestAnswer, NamespaceFacts } from "#libs/manifests";
import type { Resolver } from "#libs/rollouts";

import type { SpecOptions } from "../options/spec-options.ts";
import { loadSpec } from "../read/load-spec.ts";
import type { RepositoryOptions } from "../read/repository.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { findSpecCommit } from "./find-spec-commit.ts";

export interface AnswerOptions extends SpecOptions, RepositoryOptions {
  readonly ref?: string;
  readonly specCommit?: string;
}

/** The spec's answers for namespaces, and its commit. */
export interface Answers {
  readonly answer: (namespace: string, facts: NamespaceFacts | undefined) => ManifestAnswer;
  /** Read only where something is written; undefined: the file belongs to no commit. */
  readonly findCommit: () => Promise<string | undefined>;
}

function answerBy(resolver: Resolver, settings: Settings): Answers["answer"] {
  const known = new Map<string, ManifestAnswer>();
  return (namespace, facts) => {
    let answer = known.get(namespace);
    if (answer === undefined) known.set(namespace, (answer = ask(namespace, facts)));
    return answer;
  };

  function ask(namespace: string, facts: NamespaceFacts | undefined): ManifestAnswer {
    const managed = isManagedNamespace(settings, namespace, facts?.labels ?? {});
    if (!managed.managed) return { kind: "unmanaged", why: managed.reason };
    return { kind: "revision", revision: resolver.resolve(namespace).revision };
  }
}

async function loadFromRepository(options: AnswerOptions, terminal: Terminal): Promise<Answers> {
  const { withRepository } = await import("../read/repository.ts");
  const { readSpec } = await import("../read/read-spec.ts");
  const ref = options.ref ?? terminal.env["MESHROLL_BRANCH"] ?? "main";
  const spec = await withRepository(options, terminal, async ({ repository, url }) => {
    await repository.fetch();
    return readSpec(repository, url, ref);
  });
  return { answer: answerBy(spec.resolver, spec.settings), findCommit: async () => options.specCommit ?? spec.commit };
}

async function loadFromFile(options: AnswerOptions, terminal: Terminal): Promise<Answers> {
  const { resolver, settings } = await loadSpec(options, terminal);
  const folder = resolve(terminal.cwd, options.file === "-" ? "." : dirname(options.file));
  const findCommit = async () =>
    options.specCommit ?? (options.file === "-" ? undefined : findSpecCommit(folder, options.file, terminal));
  return { answer: answerBy(resolver, settings), findCommit };
}

/** Reads the spec from a commit of a repository, or from the files here. */
export async function loadAnswers(options: AnswerOptions, terminal: Terminal): Promise<Answers> {
  const isRepository = options.repo !== undefined || options.ref !== undefined;
  return isRepository ? loadFromRepository(options, terminal) : loadFromFile(options, terminal);
}
