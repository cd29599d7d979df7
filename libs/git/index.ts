export type { Credentials } from "./environment.ts";
export { GitOverLimit, GitRefused, GitTooLarge, GitUnavailable } from "./errors.ts";
export { probePush } from "./probe-push.ts";
export type {
  Commit,
  CommitDraft,
  Heads,
  MergeTrial,
  PushOutcome,
  Repacked,
  RolloutsRepository,
  SignedContent,
  TreeFile,
  FileChanges,
} from "./port.ts";
export { watchRepository } from "./watch-repository.ts";
export { openRepository, type RepositoryOptions } from "./simple-git.ts";
