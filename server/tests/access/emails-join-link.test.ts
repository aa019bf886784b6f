/**
 * No email of the product contains a join link, in whatever language (docs/product.md#4.1). Every kind is composed with
 * the data of a therapist; a kind that is not sent here fails the test.
 */
import { readdir, readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { contact } from '@fieldroom/contract/bookings';
import { THERAPIST_HEADER } from '@fieldroom/contract/http';
import { sendSessionEmail } from '@fieldroom/contract/sessions';
import { LANGUAGES, type Language } from '@fieldroom/contract/text';
import { sendFeedbackEmail } from '@fieldroom/contract/usage';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { aBill } from '../../src/builders/billing.builders.ts';
import { aBooking } from '../../src/builders/bookings.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { aPastLiveSession } from '../../src/builders/sessions.builders.ts';
import { createAccountsEmails } from '../../src/features/accounts/emails/accounts.emails.ts';
import { EMAILS as OF_ACCOUNTS } from '../../src/features/accounts/emails/accounts.emails.words.ts';
import { accounts } from '../../src/features/accounts/accounts.tables.ts';
import { billEmail } from '../../src/features/billing/emails/billing.emails.ts';
import { readPdf } from '../../src/features/billing/billing.fixture.ts';
import { bills } from '../../src/features/billing/billing.tables.ts';
import { bookings } from '../../src/features/bookings/bookings.tables.ts';
import { createBookingCalendar } from '../../src/features/bookings/calendar/bookings.calendar.ts';
import { createBookingEmails } from '../../src/features/bookings/emails/bookings.emails.ts';
import { EMAILS as OF_BOOKINGS } from '../../src/features/bookings/emails/bookings.emails.words.ts';
import { createProfileEmails } from '../../src/features/profile/emails/profile.emails.ts';
import { EMAILS as OF_PROFILES } from '../../src/features/profile/emails/profile.emails.words.ts';
import { createUsageEmails } from '../../src/features/usage/emails/usage.emails.ts';
import { outboxEmails } from '../../src/platform/platform.tables.ts';
import { testApp, type TestApp } from '../support/test-app.ts';

const TOKEN = 'Tk'.padEnd(43, '-_x9');
const FEATURES = new URL('../../src/features/', import.meta.url);

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ env: { LIMIT_CONTACT: '1000/60' } });
});
afterAll(() => t.close());

/** The kinds of emails that the code of the features composes. */
async function declaredKinds(): Promise<string[]> {
  const ofFeature: Readonly<Record<string, readonly string[]>> = {
    accounts: OF_ACCOUNTS,
    profile: OF_PROFILES,
    bookings: OF_BOOKINGS,
  };
  const files = (await readdir(FEATURES, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const sources = await Promise.all(files.map((name) => readFile(path.join(FEATURES.pathname, name), 'utf8')));
  const kinds = sources
    .filter((source) => source.includes('composeEmail('))
    .flatMap((source) => {
      const named = [...source.matchAll(/kind: '(\w+\.\w+)'/g)].map(([, kind]) => kind!);
      const many = [...source.matchAll(/kind: `(\w+)\.\$\{kind\}`/g)].map(([, feature]) => feature!);
      expect(named.length + many.length, 'a file that composes emails names their kind').toBeGreaterThan(0);
      return [...named, ...many.flatMap((feature) => ofFeature[feature]!.map((kind) => `${feature}.${kind}`))];
    });
  return [...new Set(kinds)].toSorted();
}

/** Writes every email that a therapist may cause or get, in one language, with all that is known of the therapist. */
async function writeAll(language: Language) {
  const { publicUrl } = t.app.config;
  const therapist = await aTherapist(t.db, { language });
  const [account] = await t.db.select().from(accounts).where(eq(accounts.id, therapist.id));
  const to = { ...account!, to: account!.email, token: TOKEN, language };
  const { outbox, clock } = t.app;

  const accountMail = createAccountsEmails(outbox, publicUrl);
  for (const kind of OF_ACCOUNTS) await accountMail.send(t.db, { ...to, kind });
  const profileMail = createProfileEmails(outbox, publicUrl);
  for (const kind of OF_PROFILES) await profileMail.send(t.db, { ...to, kind, day: new Date() });
  await createUsageEmails(outbox, publicUrl).fourHours(t.db, { ...account!, language });

  const [bill] = await t.db
    .select()
    .from(bills)
    .where(eq(bills.id, await aBill(t.db, { therapistId: therapist.id })));
  await outbox.put(t.db, billEmail({ ...bill!, language }, publicUrl));

  const as = { token: therapist.token };
  const id = await aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo: 1, minutes: 50 });
  await t.api(sendSessionEmail, { body: { id } }, as);
  const { firstName, lastName } = account!;
  const email = 'mona@mail.example';
  const message = 'Is there a place for two?';
  await t.api(
    contact,
    { body: { firstName, lastName, email, message } },
    {
      headers: { [THERAPIST_HEADER]: String(therapist.id) },
    },
  );
  await t.api(sendFeedbackEmail, { body: { email, username: 'Mona', text: message } }, as);

  const event = await anEvent(t.db, { therapistId: therapist.id, isOnline: true });
  const host = { ...account!, ...(await t.app.events.host(therapist.id))! };
  const built = await aBooking(t.db, { eventId: event.id, language });
  const [row] = await t.db.select().from(bookings).where(eq(bookings.id, built.id));
  const booking = { ...row!, heldUntil: new Date(), language };
  const bookingMail = createBookingEmails({ outbox, publicUrl, calendar: createBookingCalendar({ publicUrl }), clock });
  const given = { booking, event, host, privateToken: TOKEN, wasConfirmed: true, reason: 'Ill.', before: event };
  const link = { event, host, to: booking, places: 1, token: TOKEN, heldUntil: new Date() };
  await t.db.transaction(async (tx) => {
    await outbox.put(tx, bookingMail.heldEmail(link));
    await outbox.put(tx, bookingMail.alreadyBookedEmail(link));
    await bookingMail.confirmed(tx, given);
    await bookingMail.newBooking(tx, given);
    await bookingMail.added(tx, given);
    await bookingMail.linkAgain(tx, given);
    await bookingMail.links(tx, [{ ...given, token: TOKEN, purpose: 'private' }]);
    await bookingMail.cancelledByClient(tx, given);
    await bookingMail.ended(tx, 'therapist', [given]);
    await bookingMail.ended(tx, 'event', [given]);
    await bookingMail.eventsChanged(tx, [given]);
  });
  return { joinLink: account!.joinLink };
}

/** What a person can read in an attachment. */
async function readable(attachment: Parameters<TestApp['app']['outbox']['bytesOf']>[0]): Promise<string> {
  const bytes = await t.app.outbox.bytesOf(attachment);
  return attachment.contentType === 'application/pdf' ? (await readPdf(bytes)).text : bytes.toString();
}

test('every kind of email, with what is attached to it, holds no join link and no way to one', async () => {
  const kinds = await declaredKinds();
  for (const language of LANGUAGES) {
    await t.db.delete(outboxEmails);
    const { joinLink } = await writeAll(language);
    const emails = await t.db.select().from(outboxEmails);
    expect([...new Set(emails.map(({ kind }) => kind))].toSorted()).toEqual(kinds);
    for (const { kind, subject, text, html, attachments } of emails) {
      const parts = [subject, text, html, ...(await Promise.all(attachments.map(readable)))];
      for (const part of parts.map((one) => one.toLowerCase())) {
        // Also without its hyphens, or broken over lines.
        expect(part.replaceAll(/[^a-z0-9]/g, ''), kind).not.toContain(joinLink.replaceAll('-', ''));
        expect(part, kind).not.toMatch(/\/join\b/);
      }
    }
    expect(emails.filter(({ attachments }) => attachments.length > 0).length).toBeGreaterThan(3);
  }
});
