/** Databases of tests: each is a copy of the template, made in a moment and thrown away. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The same server, another database. */
export function onDatabase(connectionString: string, database: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  return url.href;
}

export interface TestDatabase {
  readonly connectionString: string;
  /** Drops it, even with open connections. */
  drop(): Promise<void>;
}

async function asAdmin(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes a copy. Takes the server (any of its databases except the template), and the template's name. */
export async function copyDatabase({
  connectionString,
  template,
}: {
  connectionString: string;
  template: string;
}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(connectionString, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    connectionString: onDatabase(connectionString, name),
    drop: () => asAdmin(connectionString, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
