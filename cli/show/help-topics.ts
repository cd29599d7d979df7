import { exitMeanings } from "../terminal/exit-codes.ts";

function printExitCodes(): string {
  const rows = exitMeanings.map(({ code, meaning }) => `${String(code).padStart(5)}  ${meaning}`);
  return `Exit codes\n\n${rows.join("\n")}\n`;
}

const environment = `Environment

A flag beats a variable, and a variable the context (meshroll context).

  MESHROLL_CONTEXT            the context (--context); else the file's current
                              one
  MESHROLL_CONFIG             the file of contexts; else meshroll/config.yml in
                              XDG_CONFIG_HOME, or in ~/.config
  MESHROLL_REPO_URL           the rollouts repository (--repo)
  MESHROLL_BRANCH             its protected branch; main
  MESHROLL_GIT_TOKEN          token for that URL; else git's own credentials
  MESHROLL_GIT_TOKEN_HOST     the host that it is for; else that of the URL
  MESHROLL_NATS_URL           the bus: what runs, status, verbs (--nats)
  MESHROLL_INSTALLATION       which installation, where the bus has several
                              (--installation)
  MESHROLL_REDIS_URL          the queue; only doctor asks it
  MESHROLL_CLUSTERS           name[=context],…: clusters as the executor has
                              them (--clusters)
  MESHROLL_KUBECONFIG         how to reach them (--kubeconfig)
  MESHROLL_GITHUB_REPOSITORY  owner/name: start, finish and pin open pull
  MESHROLL_GITHUB_TOKEN       requests there
  MESHROLL_GITHUB_APP_ID      a GitHub App instead of both tokens, with its key:
  MESHROLL_GITHUB_APP_KEY_FILE
  MESHROLL_GITHUB_API_URL     GitHub Enterprise Server's API
  MESHROLL_SCM                gitea: those three mean a Gitea
  MESHROLL_SLACK_TOKEN        only doctor asks Slack
  MESHROLL_SLACK_CHANNEL
  MESHROLL_PROMETHEUS_URL     only doctor asks it
  MESHROLL_DEBUG              1: print the stack of a bug in meshroll
  USER                        who types; shown as unverified
  XDG_CACHE_HOME              where clones of rollouts repositories are kept
  NO_COLOR, TERM=dumb         no colour
  COLUMNS                     columns of the terminal, instead of its own width
`;

const formatting = `Formatting

  -o human   for people; the default. It may change with any version.
  -o json    for machines: one object with apiVersion meshroll.dev/v1 and a
             kind. Fields are added, never renamed or taken away.
  -o short   explain: file:line:pattern, namespace, revision
  -o tsv     assign: one line for each namespace

Data goes to stdout and everything else to stderr. Lines fit 80 columns, except
for a command that is there to be copied. Without a terminal nothing is redrawn
and no question is asked: commands that ask need -y.

Times are in this machine's zone and name it, --tz takes another; in JSON they
are UTC.
`;

const patterns = `Patterns

A key of rollouts.yml is a regular expression that has to match the whole name
of a namespace. The longest pattern that matches decides, by its length as it
is written; of two equally long ones the smaller in byte order. What no
pattern matches belongs to production.

  ".*-staging"      every name that ends in -staging
  "payments-.*"     longer: it wins for payments-api-staging
  a-staging         one name, 9 characters: ".*-staging" has 10 and wins
  "^a-staging$"     the same name, 11 characters: now it decides

  meshroll explain NAMESPACE    which pattern decides, and which others match
  meshroll pin NAMESPACE REV    writes a form that wins
`;

const windows = `Windows

A window says when runs may go forward. It has a start (five cron fields), a
duration and a time zone, which has no default:

  windows:
    - kind: allow
      schedule: "0 9 * * 1-4"
      duration: 8h
      timeZone: Europe/Berlin
      atEnd: finishBatch

  kind    allow: only then. deny: not then; it beats allow.
  atEnd   finishBatch: no new batch. finishStage: a run that began continues.
          stop: nothing moves, the current batch included.

A freeze ({ from, to, reason }) is one time in which nothing moves forward.
Windows and freezes of meshroll.yml apply in addition to those of a campaign or
stage. Rollbacks ignore all of them.

  meshroll plan CAMPAIGN        the earliest start of the next stage
  meshroll explain NAMESPACE    the earliest time at which it moves
`;

/** Help texts that belong to no single command, by name. */
export const topics: Readonly<Record<string, () => string>> = {
  "exit-codes": printExitCodes,
  environment: () => environment,
  formatting: () => formatting,
  patterns: () => patterns,
  windows: () => windows,
};
