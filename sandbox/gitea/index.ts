export { type GiteaAccounts, nameAddress, openAccounts } from "./accounts.ts";
export { findGitea, type GiteaProgram } from "./build-gitea.ts";
export { listApprovals } from "./list-approvals.ts";
export { makeRepository } from "./make-repository.ts";
export { readReflogs } from "./read-reflogs.ts";
export { type GiteaServer, startGitea } from "./start-gitea.ts";
