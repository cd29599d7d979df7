export type { Credentials } from "./process/environment.ts";
export { type GitRefusal, GitOverLimit, GitRefused, GitTooLarge, GitUnavailable } from "./errors.ts";
export { probePush } from "./repository/probe-push.ts";
export type {
  Commit,
  CommitDraft,
  Heads,
  MergeTrial,
  PushOutcome,
  Repacked,
  RolloutsRepository,
  TreeFile,
  FileChanges,
} from "./port.ts";
export { watchRepository } from "./watch-repository.ts";
export { openRepository, type RepositoryOptions } from "./repository/simple-git.ts";
