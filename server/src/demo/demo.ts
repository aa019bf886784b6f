/**
 * The demo practice: a therapist with a field, past live sessions, and an operator, made by the builders that the tests
 * use. Filled once, on an empty database; what a visitor changes afterwards stays. A start that was killed meanwhile is
 * continued by the next. Rule: docs/product.md#2.9.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { FIGURE_COLORS, type IconType } from '@fieldroom/contract/field';
import type { RoomAccess } from '../access.ts';
import { fillDemoNotices } from './demo.notices.ts';
import { fillDemoUsage } from './demo.usage.ts';
import { fillDemoBookings } from './demo.bookings.ts';
import { DEMO_ZONE, fillDemoEvents } from './demo.events.ts';
import { landscape, LANDSCAPES, type LandscapeName } from './demo.pictures.ts';
import { accounts } from '../features/accounts/accounts.tables.ts';
import { DEMO_SIGN_IN } from '../features/accounts/index.ts';
import type { Billing } from '../features/billing/index.ts';
import type { Field } from '../features/field/index.ts';
import { DatabaseFault, type Db } from '../platform/db/db.ts';
import { lastTimes } from '../platform/platform.tables.ts';
import type { Files } from '../platform/files/files.ts';
import { anAdmin, aTherapist } from '../builders/accounts.builders.ts';
import { aConstellation } from '../builders/constellations.builders.ts';
import { fieldsAtEnd } from '../builders/sessions.builders.ts';

const DEMO_ADMIN = { email: 'admin@demo.example', password: 'constellation' } as const;

/** The people of the demo who can sign in; everybody may know their passwords. */
export const DEMO_PEOPLE = [
  { ...DEMO_SIGN_IN, name: 'Anna', what: 'therapist with a field, past live sessions and events' },
  { ...DEMO_ADMIN, name: 'Olga', what: 'operator with the admin entries' },
] as const;

type DemoFigure = [
  name: string,
  iconType: IconType,
  color: keyof typeof FIGURE_COLORS,
  x: number,
  y: number,
  rotation: number,
  scale?: number,
];

const FIGURES: readonly DemoFigure[] = [
  ['Mother', 'FEMALE_FIGURE', 'brick', 1040, 300, 200, 1.1],
  ['Father', 'MALE_FIGURE', 'inkBlue', 545, 390, 62, 1.1],
  ['Me', 'MALE_FIGURE', 'moss', 930, 650, 348, 1.1],
  ['Sister', 'FEMALE_CIRCLE', 'rose', 660, 740, 22],
  ['Grandmother', 'FEMALE_FIGURE', 'lilac', 1250, 500, 275],
  ['First child', 'MALE_SQUARE', 'coal', 290, 250, 200],
  ['What helps', 'STAR', 'straw', 800, 130, 172],
  ['The fear', 'BAT', 'plum', 295, 640, 58],
  ['New home', 'KIWI', 'apricot', 1335, 800, 305],
];

type DemoConstellation = readonly [name: string, figures: readonly DemoFigure[]];

/** Fields that Anna has prepared: one for families, and one for a choice between two ways. */
const CONSTELLATIONS: readonly DemoConstellation[] = [
  [
    'Family of origin',
    [
      ['Grandmother', 'FEMALE_CIRCLE', 'lilac', 560, 190, 150],
      ['Grandfather', 'MALE_SQUARE', 'moss', 1040, 190, 210],
      ['Mother', 'FEMALE_FIGURE', 'rose', 640, 430, 110, 1.1],
      ['Father', 'MALE_FIGURE', 'inkBlue', 960, 430, 250, 1.1],
      ['Child', 'STAR', 'straw', 800, 720, 0],
    ],
  ],
  [
    'A choice',
    [
      ['Me', 'MALE_FIGURE', 'sky', 800, 760, 0, 1.1],
      ['The one', 'KIWI', 'apricot', 440, 300, 135],
      ['The other', 'KIWI', 'mint', 1160, 300, 225],
      ['Both', 'FEMALE_CIRCLE', 'lilac', 800, 240, 180],
      ['Neither', 'MALE_SQUARE', 'coal', 1280, 720, 270],
    ],
  ],
];

const demoFigure = ([name, iconType, color, x, y, rotation, scale = 1]: DemoFigure) =>
  ({ name, iconType, color: FIGURE_COLORS[color], x, y, rotation, scale, movableBy: 'holders' }) as const;

/** The newest live sessions, and with how many of the figures each ended. */
const PAST: readonly { daysAgo: number; minutes: number; names: readonly string[]; figures: number }[] = [
  { daysAgo: 3, minutes: 130, names: ['Jonas', 'Hanna', 'Réka', 'Ștefan', 'Mirela', 'Levente'], figures: 9 },
  { daysAgo: 5, minutes: 55, names: ['Ioana'], figures: 3 },
  { daysAgo: 10, minutes: 110, names: ['Jonas', 'Hanna', 'Réka', 'Mirela', 'Karim'], figures: 6 },
];

/**
 * Refuses a database in which people of the demo can sign in: everybody may know their passwords. Anybody can begin to
 * register with such an address, but nobody gets an email there, so only verified accounts count.
 * @throws DatabaseFault that says what to do.
 */
export async function refuseDemo(db: Db): Promise<void> {
  const emails = DEMO_PEOPLE.map(({ email }) => email);
  const found = await db
    .select({ email: accounts.email })
    .from(accounts)
    .where(and(inArray(accounts.emailNormalized, emails), isNotNull(accounts.emailVerifiedAt)));
  if (found.length === 0) return;
  throw new DatabaseFault(
    `The database has accounts of the demo practice (${found.map(({ email }) => email).join(', ')}), whose passwords everybody may know. With NODE_ENV=production choose an empty DATA_DIR, or an empty database by DATABASE_URL; docs/operate.md, "Start and stop", says how to keep the other data.`,
  );
}

/** The mark of a demo that is not complete yet, with the id of its therapist. */
const FILLING = 'demo.filling';

interface DemoParts {
  db: Db;
  field: Field;
  files: Files;
  billing: Pick<Billing, 'makeMonthlyBills'>;
}

/**
 * Fills the demo practice. Takes database, field, files, billing, and whether no other node runs. Continues a start
 * that was killed in the middle. Returns false if it was already filled.
 */
export async function fillDemo({ isAlone, ...parts }: DemoParts & { isAlone: boolean }): Promise<boolean> {
  const { db, field, billing } = parts;
  const [there] = await db
    .select({ id: accounts.id, filling: lastTimes.name })
    .from(accounts)
    .leftJoin(lastTimes, and(eq(lastTimes.id, accounts.id), eq(lastTimes.name, FILLING)))
    .where(eq(accounts.emailNormalized, DEMO_SIGN_IN.email));
  // With other nodes, one of them may be filling it now.
  if (there && (there.filling === null || !isAlone)) return false;
  const annaId = there?.id ?? (await fillPeople(parts));
  // If the start is killed from here on, the next one continues: each step may be repeated. First the bills of the
  // months that are over, with their emails.
  await billing.makeMonthlyBills();
  await fillDemoNotices(db, annaId);
  const access: RoomAccess = { as: 'therapist', therapistId: annaId, personId: annaId };
  const { figures: added } = await field.snapshot(annaId);
  for (const figure of FIGURES.slice(added.length))
    await field.act(access, randomUUID(), { kind: 'add', figure: demoFigure(figure) });
  const copy = await field.snapshot(annaId);
  const fields = PAST.map(({ figures }) => ({ ...copy, figures: copy.figures.slice(0, figures) }));
  await db.transaction(async (tx) => {
    await fieldsAtEnd(tx, { therapistId: annaId, fields });
    await tx.delete(lastTimes).where(eq(lastTimes.name, FILLING));
  });
  return true;
}

/** Makes the people with what they have, and the mark, in one transaction. Returns the therapist's id. */
async function fillPeople({ db, files }: DemoParts): Promise<number> {
  const names = Object.keys(LANDSCAPES) as LandscapeName[];
  // Drawn in other threads, while the passwords are hashed in theirs.
  const drawing = Promise.all(names.map(async (name) => [name, await landscape(name)] as const));
  // If something else fails first, that is reported, and this must not count as unhandled.
  drawing.catch(() => {});
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('fieldroom demo'))`);
    const anna = await aTherapist(tx, {
      ...DEMO_SIGN_IN,
      firstName: 'Anna',
      lastName: 'Demo',
      slug: 'anna',
      joinLink: 'anna',
      timeZone: DEMO_ZONE,
    });
    await anAdmin(tx, { ...DEMO_ADMIN, firstName: 'Olga', lastName: 'Demo', slug: 'olga' });
    await fillDemoUsage(tx, anna.id, PAST);
    const {
      rows: [clock],
    } = await tx.execute<{ today: string }>(
      sql`SELECT to_char(product_now() AT TIME ZONE ${DEMO_ZONE}, 'YYYY-MM-DD') AS today`,
    );
    const pictures = {} as Record<LandscapeName, string>;
    for (const [name, bytes] of await drawing) {
      // Nobody else is here yet whom a slow store could hold up.
      const written = await files.write(tx, {
        ownerId: anna.id,
        kind: 'event picture',
        contentType: 'image/webp',
        bytes,
      });
      pictures[name] = (await files.put(tx, written)).id;
    }
    for (const [name, figures] of CONSTELLATIONS)
      await aConstellation(tx, { therapistId: anna.id, name, figures: figures.map(demoFigure) });
    await fillDemoBookings(tx, await fillDemoEvents(tx, { therapistId: anna.id, today: clock!.today, pictures }));
    await tx.insert(lastTimes).values({ name: FILLING, id: anna.id, atMs: 0 });
    return anna.id;
  });
}
