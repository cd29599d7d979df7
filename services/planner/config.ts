import { isPageAddress } from "#libs/input";
import { gitVariables, requireGitLogin, requireWholeScm, scmVariables } from "#libs/scm";
import {
  installationVariable,
  natsTlsVariables,
  redisTlsVariables,
  healthVariables,
  urlWithLogin,
} from "#libs/runtime";
import { prometheusVariables } from "#libs/prometheus";
import { z } from "zod";

/** The planner's environment. docs/reference/configuration.md has a line for each. */
export const plannerConfig = z
  .object({
    ...installationVariable,
    MESHROLL_REPO_URL: z.string("the rollouts repository: a path or a URL without a password"),
    MESHROLL_BRANCH: z.string().default("main"),
    ...gitVariables,
    /** A folder that no other process uses. */
    MESHROLL_CLONE_DIR: z.string("a folder for this process's own clone"),
    MESHROLL_NATS_URL: urlWithLogin("the bus, for example nats://127.0.0.1:4222"),
    ...natsTlsVariables,
    MESHROLL_REDIS_URL: urlWithLogin("the queue, for example redis://127.0.0.1:6379"),
    ...redisTlsVariables,
    /** Longest time between two fetches of main, real seconds. */
    MESHROLL_GIT_POLL_SECONDS: z.coerce.number().min(0.1).max(3600).default(10),
    MESHROLL_LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
    MESHROLL_SANDBOX_CLOCK: z.string().optional(),
    ...healthVariables,
    ...scmVariables,
    ...prometheusVariables,
    /** Longest time between two rounds over pull requests, real seconds; a webhook starts one at once. */
    MESHROLL_GITHUB_POLL_SECONDS: z.coerce.number().min(0.1).max(3600).default(30),
    /** URL of the page, for links in checks and notifications. */
    MESHROLL_PAGE_URL: z
      .string()
      .refine(
        isPageAddress,
        "the page's address, http or https and without a password, such as https://meshroll.example.com",
      )
      .optional(),
    /** Heap of the process that judges pull requests, MiB: the fleet's inventory must fit into it. */
    MESHROLL_JUDGE_MEMORY_MIB: z.coerce.number().int().min(128).max(16_384).default(512),
  })
  .superRefine(requireWholeScm)
  .superRefine(requireGitLogin);
