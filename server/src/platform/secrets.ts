/** Secrets that stay with the database, so that they outlive a restart. None ever leaves the server. */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from './db/db.ts';
import { secrets } from './platform.tables.ts';
import { once } from './small.ts';

const SECRET_BYTES = 32;

export interface Secrets {
  /** Returns the 32 bytes of this name. The very first caller makes them; from then on they stay the same. */
  get(name: string): Promise<Buffer>;
}

/** Makes the secrets. Takes the database. */
export function createSecrets(db: Db): Secrets {
  const known = new Map<string, () => Promise<Buffer>>();

  async function read(name: string): Promise<Buffer> {
    await db
      .insert(secrets)
      .values({ name, bytes: randomBytes(SECRET_BYTES) })
      .onConflictDoNothing();
    const [row] = await db.select().from(secrets).where(eq(secrets.name, name));
    if (row === undefined) throw new Error(`the secret ${name} was removed while it was read`);
    return row.bytes;
  }

  return {
    get(name) {
      let secret = known.get(name);
      if (secret === undefined) known.set(name, (secret = once(() => read(name))));
      return secret();
    },
  };
}
