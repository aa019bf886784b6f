/** Starts the server: reads the settings, says where it is, and stops when it is asked to. */
import { createApp, type App } from './app.ts';
import { ConfigFault, readConfig, type Config } from './platform/config.ts';
import { DatabaseFault } from './platform/db/db.ts';
import { EmbeddedPostgresError } from './platform/db/embedded-postgres.ts';
import { createLog } from './platform/log.ts';

/** What is not done by then is cut. */
const STOP_PATIENCE_MS = 20_000;

function settings(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** What a person can put right, as a sentence; null for a bug. */
function explain(error: unknown, config: Config): string | null {
  if (error instanceof DatabaseFault || error instanceof EmbeddedPostgresError) return error.message;
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `Something else listens at port ${config.port} already. Stop it, or choose another port: PORT=8081 npm start`;
    case 'EACCES':
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
  const cut = setTimeout(() => {
    log.error('stopping took too long');
    process.exit(1);
  }, STOP_PATIENCE_MS);
  cut.unref();
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
    // A second Ctrl-C means: now.
    if (ending) process.exit(1);
    log.info({ signal }, 'stopping');
    void end(0);
  });
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    // The state is unknown now; whoever runs us starts us again.
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
      `  letters         ${config.publicUrl}/dev/mail`,
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
