import { join } from "node:path";

interface Settings {
  readonly folder: string;
  readonly port: number;
  readonly user: string;
  readonly statics: string | undefined;
  /** A random text for this server's sessions and tokens. */
  readonly secret: string;
}

/**
 * Gitea's app.ini: loopback and SQLite, no request to other machines, and no scheduled job that could change what a test sees.
 */
export function writeSettings({ folder, port, user, statics, secret }: Settings): string {
  return `
APP_NAME = Gitea
RUN_MODE = prod
RUN_USER = ${user}
WORK_PATH = ${folder}

[server]
PROTOCOL = http
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
DOMAIN = 127.0.0.1
ROOT_URL = http://127.0.0.1:${port}/
LOCAL_ROOT_URL = http://127.0.0.1:${port}/
DISABLE_SSH = true
OFFLINE_MODE = true
${statics === undefined ? "" : `STATIC_ROOT_PATH = ${statics}`}

[database]
DB_TYPE = sqlite3
PATH = ${join(folder, "gitea.db")}
SQLITE_JOURNAL_MODE = WAL

[repository]
ROOT = ${join(folder, "repositories")}
DEFAULT_BRANCH = main

[security]
INSTALL_LOCK = true
SECRET_KEY = ${secret}
INTERNAL_TOKEN = ${secret}
PASSWORD_HASH_ALGO = pbkdf2$1$10

[service]
DISABLE_REGISTRATION = true
DEFAULT_KEEP_EMAIL_PRIVATE = false

[webhook]
ALLOWED_HOST_LIST = loopback

[log]
MODE = file
LEVEL = Info
ROOT_PATH = ${join(folder, "log")}

[cron]
ENABLED = false

[cron.update_checker]
ENABLED = false

[mailer]
ENABLED = false

[session]
PROVIDER = memory
`;
}
