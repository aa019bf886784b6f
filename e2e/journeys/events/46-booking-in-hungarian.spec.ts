/** A booking that starts with a wrong address, in Hungarian: the email is sent again, the address corrected, the place
 * released; and a message. */
import { axeClean, DESK, expect, PHONE, screenshot, signIn, test } from '../../journey.ts';
import { dayFromNow, publishEvent } from '../events.ts';
import { linkIn, nextEmail } from '../people.ts';

const WRONG = 'reka.szollosi@mial.example';
const RIGHT = 'reka.szollosi@mail.example';
const QUESTION = 'Jöhetek a húgommal?';

test.use({ settings: { LIMIT_BOOKING: '100/10m', LIMIT_OPEN_HOLDS: '100/10m' } });

test('9.7, 9.16: the email is sent again, then to the right address; the place is released, and a message is sent', async ({
  visit,
  server,
}) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await publishEvent(anna, {
    name: 'An open evening',
    days: [dayFromNow(14)],
    start: '18:00',
    end: '20:00',
    places: 2,
    price: '35',
  });

  const reka = (await visit({ ...PHONE, locale: 'hu-HU' })).page;
  await reka.goto('/event/anna');
  await reka
    .getByRole('link', { name: /An open evening/ })
    .first()
    .click();
  await reka.getByRole('button', { name: 'Lefoglalom a helyet' }).first().click();
  const details = reka.getByRole('dialog', { name: 'Az Ön adatai' });
  await details.getByLabel('Keresztnév').fill('Réka');
  await details.getByLabel('Családnév').fill('Szőllősi');
  await details.getByLabel('E-mail').fill(WRONG);
  await details.getByLabel('Telefonszám').fill('+36 20 000 551');
  await details.getByRole('button', { name: 'Hely lefoglalása' }).click();
  await expect(reka.getByRole('heading', { name: 'Fenntartjuk a helyét' })).toBeVisible();

  const seen = new Set<string>();
  const first = await nextEmail(server, WRONG, seen);
  await reka.getByRole('button', { name: /küldése újra/ }).click();
  await expect(reka.getByText(`elküldtük ide: ${WRONG}`)).toBeVisible();
  const again = await nextEmail(server, WRONG, seen);

  await reka.getByRole('button', { name: 'Cím javítása' }).click();
  await reka.getByLabel(/^A helyes/).fill(RIGHT);
  await screenshot(reka, 'correct-390-light-hu');
  await reka.getByRole('button', { name: 'Küldés erre a címre' }).click();
  await expect(reka.getByText(`elküldtük ide: ${RIGHT}`)).toBeVisible();
  await axeClean(reka, 'held, with a corrected address');
  const corrected = await nextEmail(server, RIGHT, seen);

  const reader = (await visit({ ...PHONE, locale: 'hu-HU' })).page;
  await test.step('links to the wrong address are dead', async () => {
    for (const email of [first, again]) {
      await reader.goto('about:blank');
      await reader.goto(linkIn(email, '/event/confirm'));
      await expect(reader.getByRole('heading', { name: 'Ez a link már nem működik' })).toBeVisible();
    }
  });
  await reader.goto('about:blank');
  await reader.goto(linkIn(corrected, '/event/confirm'));
  await expect(reader.getByRole('heading', { name: 'Már csak egy lépés' })).toBeVisible();
  await reader.getByRole('button', { name: 'Lemondok a helyről' }).click();
  await expect(reader.getByRole('heading', { name: 'Visszaadta a helyet' })).toBeVisible();
  await axeClean(reader, 'released');
  await screenshot(reader, 'released-390-light-hu');
  await anna.getByRole('button', { name: 'Participants: An open evening' }).click();
  await expect(anna.getByText('Nobody is booked yet.')).toBeVisible();

  await reka.goto('/event/anna');
  await reka
    .getByRole('button', { name: /^Üzenet neki/ })
    .first()
    .click();
  const message = reka.getByRole('dialog', { name: /^Üzenet neki/ });
  await message.getByLabel(/^Az Ön e/).fill(RIGHT);
  await message.getByLabel('Az Ön üzenete').fill(QUESTION);
  await axeClean(reka, 'a message to the therapist', 'dialog[open]');
  await screenshot(reka, 'contact-390-light-hu');
  await message.getByRole('button', { name: 'Üzenet küldése' }).click();
  await expect(reka.getByText('Az üzenetét elküldtük')).toBeVisible();
  expect((await nextEmail(server, 'anna@demo.example')).text).toContain(QUESTION);
});
