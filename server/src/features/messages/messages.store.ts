/** Rows of messages and of who may write. Every function takes the database or the transaction it belongs to. */
import { and, desc, eq, gt, isNull, or } from 'drizzle-orm';
import { type Message, MESSAGES_SHOWN } from '@fieldroom/contract/messages';
import type { Queryable } from '../../platform/db/db.ts';
import { messages, messageSettings } from './messages.tables.ts';

type MessageRow = typeof messages.$inferSelect;

function messageOf({ id, actId, fromId, fromName, toId, toName, text, sentAt }: MessageRow): Message {
  return {
    id,
    actId,
    from: fromId,
    fromName,
    to: toId ?? 'all',
    toName,
    text,
    sentOn: sentAt.toISOString(),
  };
}

/** Writes a message and returns it in its readable form. */
export async function insertMessage(tx: Queryable, values: typeof messages.$inferInsert): Promise<Message> {
  const [row] = await tx.insert(messages).values(values).returning();
  return messageOf(row!);
}

/** The message that this person sent with this act id; null if it was not stored. */
export async function findByAct(db: Queryable, fromId: number, actId: string): Promise<Message | null> {
  const [row] = await db
    .select()
    .from(messages)
    .where(and(eq(messages.fromId, fromId), eq(messages.actId, actId)));
  return row ? messageOf(row) : null;
}

/**
 * The reader of messages. The therapist reads everything, a client the messages to all since they came, and their own.
 */
export type Reader =
  | { readonly as: 'therapist' }
  | { readonly as: 'client'; readonly id: number; readonly admittedRevision: number };

/** Returns the newest messages of a live session that this person may read, oldest first. */
export async function readMessages(db: Queryable, liveSessionId: number, reader: Reader): Promise<Message[]> {
  const readable =
    reader.as === 'therapist'
      ? undefined
      : or(
          and(isNull(messages.toId), gt(messages.peopleRevision, reader.admittedRevision)),
          eq(messages.fromId, reader.id),
          eq(messages.toId, reader.id),
        );
  const rows = await db
    .select()
    .from(messages)
    .where(and(eq(messages.liveSessionId, liveSessionId), readable))
    .orderBy(desc(messages.id))
    .limit(MESSAGES_SHOWN);
  return rows.toReversed().map(messageOf);
}

/** Whether anybody has written a message in this live session. */
export async function isAnyWritten(db: Queryable, liveSessionId: number): Promise<boolean> {
  const rows = await db
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.liveSessionId, liveSessionId))
    .limit(1);
  return rows.length > 0;
}

/** Deletes all messages of a live session. */
export async function deleteMessages(tx: Queryable, liveSessionId: number): Promise<void> {
  await tx.delete(messages).where(eq(messages.liveSessionId, liveSessionId));
}

/** Whether the therapist's clients may write; yes, if the therapist never set it. */
export async function mayClientsWrite(db: Queryable, therapistId: number): Promise<boolean> {
  const [row] = await db
    .select({ clientsMayWrite: messageSettings.clientsMayWrite })
    .from(messageSettings)
    .where(eq(messageSettings.therapistId, therapistId));
  return row?.clientsMayWrite ?? true;
}

/** Writes whether the therapist's clients may write. */
export async function writeClientsMayWrite(
  tx: Queryable,
  therapistId: number,
  clientsMayWrite: boolean,
): Promise<void> {
  await tx
    .insert(messageSettings)
    .values({ therapistId, clientsMayWrite })
    .onConflictDoUpdate({ target: messageSettings.therapistId, set: { clientsMayWrite } });
}
