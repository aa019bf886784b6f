/** The program: reads the settings, starts the server, prints its address, and stops when it is asked to. */
import { joinPage, SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import type { App } from './app.ts';
import { ConfigFault, readConfig, type Config } from './platform/config.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/db/embedded-postgres.ts';
import { createLog } from './platform/monitoring/log.ts';
import { STOP_MS } from './stopping.ts';

/** Work that is not done by then is cut off: a moment after the deadline that all steps of stopping share. */
const STOP_PATIENCE_MS = STOP_MS + 1000;

function settings(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
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

/**
 * Starts the embedded database, unless the settings name another one. Returns as soon as a program of PostgreSQL runs:
 * loading the rest of the server blocks this process, so nothing could be started meanwhile.
 */
async function beginDatabase(): Promise<{ embedded?: Promise<EmbeddedPostgres> }> {
  if (config.databaseUrl !== null) return {};
  const atWork = Promise.withResolvers<void>();
  const onCrash = () => void end(1);
  const embedded = startEmbeddedPostgres({ dataDir: config.dataDir, log, onCrash, onProgram: atWork.resolve });
  // Whoever uses it reports why it did not start.
  embedded.catch(atWork.resolve);
  await atWork.promise;
  return { embedded };
}

const database = await beginDatabase();
const { createApp } = await import('./app.ts');
const { explainStartFault } = await import('./start-faults.ts');

try {
  app = await createApp(config, { log, ...database });
  const at = await app.listen();
  const lines = [`Fieldroom is at ${config.port === 0 ? at : config.publicUrl}`];
  if (config.demo)
    lines.push(
      `  demo practice   ${config.publicUrl}${SIGN_IN_PAGE}   anna@demo.example / constellation`,
      `  demo clients    ${config.publicUrl}${joinPage('anna')}`,
      `  emails          ${config.publicUrl}/dev/mail`,
    );
  if (config.dev) lines.push(`  development     ${config.publicUrl}/dev`);
  process.stdout.write(`${lines.join('\n')}\n`);
} catch (error) {
  const sentence = explainStartFault(error, config);
  if (sentence === null) log.fatal({ err: error }, 'the start failed');
  else process.stderr.write(`${sentence}\n`);
  await app?.close().catch(() => {});
  process.exit(1);
}
