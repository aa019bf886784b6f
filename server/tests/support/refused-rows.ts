/** A database that cannot store emails or other rows, as one that comes and goes. */
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Db } from '../../src/platform/db/db.ts';

/** More often than any limit allows in a day. */
const TIMES = 12;

interface Failing {
  /** The table that takes no rows and no changes; that of emails by default. */
  table?: string;
  /** Whether it fails after its answer: then nobody is told. */
  isSilent?: boolean;
  /** Whether no count of limits can be taken back meanwhile either. */
  areCountsFinal?: boolean;
}

/**
 * Does something more often than limits allow while nothing can be stored in a table, and expects it to fail each time.
 * Afterwards the database is as before.
 */
export async function failOften(
  db: Db,
  act: () => Promise<unknown>,
  { table = 'outbox_emails', isSilent = false, areCountsFinal = false }: Failing = {},
): Promise<void> {
  await db.execute(sql`
    CREATE OR REPLACE FUNCTION refused_by_test() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused by the test'; END $$;
    CREATE TRIGGER refused_row BEFORE INSERT OR UPDATE ON ${sql.identifier(table)} FOR EACH ROW
      EXECUTE FUNCTION refused_by_test()`);
  if (areCountsFinal)
    await db.execute(sql`
      CREATE TRIGGER refused_return BEFORE UPDATE ON limit_counters FOR EACH ROW WHEN (NEW.count < OLD.count)
        EXECUTE FUNCTION refused_by_test()`);
  try {
    for (let nth = 0; nth < TIMES; nth += 1)
      if (isSilent) await act();
      else await expect(act()).rejects.toThrow();
  } finally {
    await db.execute(sql`
      DROP TRIGGER refused_row ON ${sql.identifier(table)};
      DROP TRIGGER IF EXISTS refused_return ON limit_counters`);
  }
}
