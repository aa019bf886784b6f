/**
 * Scenarios in an installed WebKitGTK, the engine of Safari: a therapist and clients in the room, with Chromium among
 * them, and a booking. Debian's WebKitGTK has no WebRTC, so for video they show only the message of a browser without
 * it. They have their own server.
 */
import { admit, button, centerOf, FIELD, openField } from '../browsers/actions.ts';
import { chromiumPage, startChromium } from '../browsers/chromium.ts';
import { type BrowserPage, until } from '../browsers/page.ts';
import { runScenarios, type Scenarios } from '../browsers/scenarios.ts';
import { type RunningServer, runServer } from '../server.ts';
import { startWebKit, type WebKit, type WebKitPrograms } from './driver.ts';

const DESK = { width: 1280, height: 800 };
/** The window of WebKitGTK's browser is never narrower than 447 px. */
const PHONE = { width: 390, height: 760 };
const LIMIT_MS = 240_000;
/** The two browsers round text differently, and so the space that names take. */
const SAME_PLACE_PX = 3;

/**
 * Runs all scenarios. Takes the programs of WebKitGTK. Returns how many steps passed and failed. Throws when a browser
 * or the server does not start.
 */
export const runInWebKit = (programs: WebKitPrograms): Promise<{ passed: number; failed: number }> =>
  runScenarios({ browser: 'webkit', limitMs: LIMIT_MS }, async (scenarios) => {
    const { within, atEnd } = scenarios;
    const [webkit, server] = await within(
      Promise.all([
        startWebKit(programs).then((started) => (atEnd(started.close), started)),
        runServer().then((started) => (atEnd(started.remove), started)),
      ]),
    );
    console.log(`WebKitGTK ${webkit.version}`);
    await aSession(scenarios, webkit, server);
    await aBooking(scenarios, webkit, server);
  });

/** What the field draws: one line per figure, with its place, direction and size. */
const drawn = (page: BrowserPage): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<SVGGElement>('[data-testid=field] [data-figure]')]
      .map((figure) => `${figure.dataset['figure']} ${figure.getAttribute('transform')}`)
      .sort(),
  );
/** Waits until all pages draw the same figures at the same places. */
const allDrawTheSame = (...pages: BrowserPage[]): Promise<unknown> =>
  until('the same field on all pages', async () => {
    const [first, ...others] = await Promise.all(pages.map(async (page) => JSON.stringify(await drawn(page))));
    return first !== '[]' && others.every((other) => other === first);
  });
/** Returns the text of the first element that a selector finds. */
const textOf = (page: BrowserPage, css: string): Promise<string> =>
  page.evaluate((selector) => document.querySelector(selector)?.textContent ?? '', css);

async function aSession({ scenario, atEnd }: Scenarios, webkit: WebKit, { url }: RunningServer) {
  const chromium = await startChromium();
  atEnd(() => chromium.close());
  const [anna, jonas, mirela, tamas] = [
    await webkit.newPage(url, DESK),
    await webkit.newPage(url, PHONE),
    await webkit.newPage(url, DESK),
    await chromiumPage(chromium, url, DESK),
  ];
  await scenario('A session', { anna, jonas, mirela, tamas }, async (step) => {
    await step('a therapist signs in and opens the field', () => openField(anna));
    await step('clients join by the link, wait and are let in', async () => {
      await admit(jonas, anna, 'Jonas');
      await admit(mirela, anna, 'Mirela');
      await admit(tamas, anna, 'Tamás');
    });
    await step('everybody sees the same field, in Chromium too', async () => {
      await allDrawTheSame(anna, jonas, mirela, tamas);
      for (const name of ['Father', 'Mother', 'New home']) {
        const [here, there] = [await centerOf(mirela, name), await centerOf(tamas, name)];
        const apart = Math.hypot(here.x - there.x, here.y - there.y);
        if (apart > SAME_PLACE_PX) throw new Error(`${name} stands ${apart.toFixed(1)} px apart`);
      }
    });
    await step('a figure follows the therapist’s mouse, for everybody', async () => {
      const from = await centerOf(anna, 'Father');
      const seen = await centerOf(tamas, 'Father');
      await anna.drag(from, { x: from.x + 120, y: from.y + 60 });
      await until('the figure to move', async () => (await centerOf(tamas, 'Father')).x > seen.x + 50);
      await allDrawTheSame(anna, jonas, mirela, tamas);
    });
    await step('a client with a role moves their own figure', async () => {
      await anna.click(button('More options for Mirela'));
      await anna.click({ role: 'menuitemcheckbox', name: 'Sister' });
      await mirela.waitFor({ text: 'You stand for' });
      // Closes the menu.
      await anna.click({ role: 'heading', name: 'People' });
      const from = await centerOf(mirela, 'Sister');
      const seen = await centerOf(anna, 'Sister');
      await mirela.drag(from, { x: from.x - 100, y: from.y - 40 });
      await until('the figure to move', async () => (await centerOf(anna, 'Sister')).x < seen.x - 40);
      await allDrawTheSame(anna, jonas, mirela, tamas);
    });
    await step('and undoes it', async () => {
      const moved = await centerOf(anna, 'Sister');
      await mirela.click(button('Undo'));
      await until('the figure to go back', async () => (await centerOf(anna, 'Sister')).x > moved.x + 40);
      await allDrawTheSame(anna, jonas, mirela, tamas);
    });
    await step('a reload keeps the seat', async () => {
      await jonas.reload();
      await jonas.waitFor(FIELD);
      await allDrawTheSame(anna, jonas);
    });
    await step('who has no video is told so, and keeps the field', async () => {
      await anna.click(button('Start video'));
      await anna.waitFor({ text: 'This browser doesn’t support video' });
      await anna.click(button('Close'));
      await allDrawTheSame(anna, jonas, mirela, tamas);
    });
  });
  await scenario('The end of a session', { anna, jonas, mirela, tamas }, async (step) => {
    await step('the therapist ends it, and clients read goodbye', async () => {
      await anna.goto('/app/play-area');
      await anna.click(button('End session'));
      await anna.waitFor({ css: '[role=dialog]' });
      await anna.click(button('End session'));
      for (const page of [jonas, mirela, tamas])
        await until('the goodbye page', async () => (await page.address()).includes('/user/bye'));
    });
  });
}

async function aBooking({ scenario }: Scenarios, webkit: WebKit, server: RunningServer) {
  const hanna = await webkit.newPage(server.url, PHONE);
  const reader = await webkit.newPage(server.url, DESK);
  const email = 'hanna.k@mail.example';
  /** Waits for an email with a link to a page. Returns the link. */
  const linkTo = (page: string) =>
    until(`an email with a link to ${page}`, async () => {
      const texts = (await server.emails(email)).map(({ text }) => text);
      return texts.flatMap((text) => text.match(/https?:\/\/\S+/g) ?? []).find((address) => address.includes(page));
    });
  await scenario('A booking', { hanna, reader }, async (step) => {
    await step('a client finds an event', async () => {
      await hanna.goto('/event/anna');
      await hanna.click({ css: 'main a[href^="/event/anna/"]' });
      await hanna.waitFor(button('Book this place'));
    });
    await step('the form names what is missing', async () => {
      await hanna.click(button('Book this place'));
      await hanna.click(button('Hold my place'));
      await hanna.waitFor({ css: 'dialog [aria-invalid=true], [role=dialog] [aria-invalid=true]' });
    });
    await step('a place is held', async () => {
      await hanna.fill({ role: 'textbox', name: 'First name' }, 'Hanna');
      await hanna.fill({ role: 'textbox', name: 'Family name' }, 'Köhl');
      await hanna.fill({ role: 'textbox', name: 'Email' }, email);
      await hanna.fill({ css: 'input[type=tel]' }, '+43 660 000 551');
      await hanna.click(button('Hold my place'));
      await hanna.waitFor({ role: 'heading', name: 'Your place is held' });
    });
    await step('a reload still shows it', async () => {
      await hanna.reload();
      await hanna.waitFor({ role: 'heading', name: 'Your place is held' });
    });
    await step('the link in the email confirms it', async () => {
      await reader.goto(await linkTo('/event/confirm'));
      await reader.click(button('Confirm booking'));
      await reader.waitFor({ role: 'heading', name: 'Your place is booked' });
    });
    await step('the private page shows it, and cancels it', async () => {
      await reader.goto(await linkTo('/event/booking'));
      await reader.click(button('Cancel booking'));
      await reader.click(button('Yes, cancel booking'));
      await reader.waitFor({ role: 'heading', name: 'Your booking is cancelled' });
      if (!(await textOf(reader, 'main')).includes('Hanna')) throw new Error('whose booking it was is not said');
    });
  });
}
