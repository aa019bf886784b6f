/** Starts the server: reads the settings, prints its address, and stops when it is asked to. */
import { createApp, type App } from './app.ts';
import { ConfigFault, readConfig, type Config } from './platform/config.ts';
import { DatabaseFault, isDatabaseFull, isDatabaseUnavailable } from './platform/db/db.ts';
import { EmbeddedPostgresError } from './platform/db/embedded-postgres.ts';
import { createLog } from './platform/monitoring/log.ts';

/**
 * Work that is not done by then is cut off. More than the steps of stopping take together when each waits its longest:
 * 23.5 s among several nodes, of which the connections have 4 s to move and calls 5.5 s to end.
 */
const STOP_PATIENCE_MS = 25_000;

function settings(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Says what a person can put right, as a sentence; null for a bug. */
function explain(error: unknown, config: Config): string | null {
  if (error instanceof DatabaseFault || error instanceof EmbeddedPostgresError) return error.message;
  if (isDatabaseFull(error))
    return `The database has no room left to write. Make room on its disk and start again; nothing is lost.`;
  if (isDatabaseUnavailable(error))
    return 'The database stopped answering during the start. Look at its log, and start again.';
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  const where = path ?? config.dataDir;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk that holds ${where} is full. Make room and start again; nothing is lost.`;
    case 'EROFS':
      return `${where} lies on a file system that is mounted read-only. Mount it for writing, or choose another DATA_DIR.`;
    case 'EPERM':
      return `${where} may not be changed by this user. Start Fieldroom as the owner of ${config.dataDir}, or choose another DATA_DIR.`;
    case 'EADDRINUSE':
      return `Something else listens at port ${config.port} already. Stop it, or choose another port: PORT=8081 npm start`;
    case 'EACCES':
      if (syscall !== 'listen' && syscall !== 'bind')
        return `${where} may not be read or written by this user. Start Fieldroom as the owner of ${config.dataDir}, or choose another DATA_DIR.`;
      return `The port ${config.port} may not be used by this user. Choose one above 1023: PORT=8080 npm start`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST=${config.host} is no address of this machine.`;
    default:
      return null;
  }
}

const config = settings();
const log = createLog(config);
let app: App | null = null;
let ending = false;

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  // Whatever happens from here on, a crash must never look like a stop, even if Node finds nothing left to wait for.
  process.exitCode = 1;
  // It keeps the process alive until `close` has ended.
  setTimeout(() => {
    log.error('stopping took too long');
    process.exit(1);
  }, STOP_PATIENCE_MS);
  try {
    await app?.close();
  } catch (error) {
    log.error({ err: error }, 'stopping failed');
    process.exit(1);
  }
  process.exit(code);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    // A second Ctrl-C means: stop now.
    if (ending) process.exit(1);
    log.info({ signal }, 'stopping');
    void end(0);
  });
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    // The state is unknown now; the supervisor starts the server again.
    log.fatal({ err: error }, 'something failed that nobody expected');
    void end(1);
  });

try {
  app = await createApp(config, { log, onCrash: () => void end(1) });
  const at = await app.listen();
  const lines = [`Fieldroom is at ${config.port === 0 ? at : config.publicUrl}`];
  if (config.demo)
    lines.push(
      `  demo practice   ${config.publicUrl}/user/login   anna@demo.example / constellation`,
      `  demo clients    ${config.publicUrl}/user/join/anna`,
      `  emails          ${config.publicUrl}/dev/mail`,
    );
  if (config.dev) lines.push(`  development     ${config.publicUrl}/dev`);
  process.stdout.write(`${lines.join('\n')}\n`);
} catch (error) {
  const sentence = explain(error, config);
  if (sentence === null) log.fatal({ err: error }, 'the start failed');
  else process.stderr.write(`${sentence}\n`);
  await app?.close().catch(() => {});
  process.exit(1);
}
