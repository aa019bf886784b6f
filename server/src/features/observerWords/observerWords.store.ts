/** Rows of invitations. Every function takes the database or the transaction it belongs to. */
import { eq } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/db.ts';
import { observerInvitations } from './observerWords.tables.ts';

/** Whether the observers of a live session are invited to say a word. */
export async function isInvited(db: Queryable, liveSessionId: number): Promise<boolean> {
  const rows = await db.select().from(observerInvitations).where(eq(observerInvitations.liveSessionId, liveSessionId));
  return rows.length > 0;
}

/** Writes or deletes the invitation of a live session. A repetition changes nothing. */
export async function writeInvitation(tx: Queryable, liveSessionId: number, invited: boolean): Promise<void> {
  if (invited) await tx.insert(observerInvitations).values({ liveSessionId }).onConflictDoNothing();
  else await tx.delete(observerInvitations).where(eq(observerInvitations.liveSessionId, liveSessionId));
}
