/**
 * A process that starts the embedded database, for the tests that kill it. Argument: the options as JSON. Prints one
 * JSON line: where the database runs, or the error; then stays until SIGTERM or a kill.
 */
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const logged: string[] = [];
const note = (_fields: object, message: string) => void logged.push(message);
try {
  const server = await startEmbeddedPostgres({
    ...(JSON.parse(process.argv[2] ?? '{}') as { dataDir: string }),
    log: { debug() {}, info: note, warn: note, error: note },
  });
  process.once('SIGTERM', () => void server.stop());
  const { host, pid, clusterDir, connectionString } = server;
  console.log(JSON.stringify({ host, pid, clusterDir, connectionString, logged }));
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).message, name: (error as Error).name, logged }));
}
