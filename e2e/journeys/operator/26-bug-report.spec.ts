/** The bug report: therapists and clients in the room report a fault, and the operator reads it. */
import { BUG_SUCCESS_MS, setBugReportState } from '@fieldroom/contract/bugReports';
import type { Locator, Page } from '@playwright/test';
import {
  axeClean,
  DESK,
  expect,
  expectWidth,
  nextFrames,
  PHONE,
  resize,
  screenshot,
  signIn,
  test,
} from '../../journey.ts';
import { holdTimers } from '../news.ts';
import {
  addFigure,
  admit,
  centerOf,
  chooseMore,
  dragBy,
  expectDrawnAsStored,
  expectInRoom,
  giveRole,
  openRoom,
} from '../people.ts';
import { accept, desk, join, openVideoRoom, phone, seesMoving, withDevices } from '../video.ts';

const ADMIN = { email: 'admin@demo.example', password: 'constellation' } as const;
const SAVE = '**/logger_api/logger/bug/report/save';

test.use({ launchOptions: withDevices() });

const smiley = (page: Page) => page.getByRole('button', { name: 'Report a problem' });
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Report a problem' });

async function withPicture(page: Page) {
  const panel = panelOf(page);
  await expect(panel.getByRole('img', { name: /Picture of the page/ })).toBeVisible();
  return panel;
}
async function openPanel(page: Page) {
  await smiley(page).click();
  return withPicture(page);
}
/** Opens the panel as clients do on a phone. */
async function openPanelByMore(page: Page) {
  await chooseMore(page, 'Report a problem');
  return withPicture(page);
}
const moreButton = (page: Page) => page.getByRole('button', { name: 'More', exact: true });

/** A part of a page or picture, in px from its top left corner. */
type Box = { x: number; y: number; width: number; height: number };

/** Returns a picture's size, its number of colours, and the pixels of parts of it. Takes an address or bytes. */
async function pixelsOf(page: Page, address: string, boxes: readonly Box[]) {
  return page.evaluate(
    async ([from, parts]) => {
      const image = new Image();
      image.src = from;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const bytesOf = ({ x, y, width, height }: Box) => context.getImageData(x, y, width, height).data;
      const all = bytesOf({ x: 0, y: 0, width: canvas.width, height: canvas.height });
      return {
        size: `${canvas.width}x${canvas.height}`,
        colours: new Set(new Uint32Array(all.buffer)).size,
        parts: parts.map((box) => [...bytesOf(box)]),
      };
    },
    [address, boxes] as const,
  );
}

/** How much two parts differ: the mean of the differences of their bytes, 0 to 255. */
function difference(one: readonly number[], other: readonly number[]): number {
  expect(one).toHaveLength(other.length);
  return one.reduce((sum, byte, at) => sum + Math.abs(byte - other[at]!), 0) / one.length;
}

/** The server re-encodes a picture, with an invisible loss. */
const LOSS = 6;

const previewOf = async (page: Page, boxes: readonly Box[]) =>
  pixelsOf(page, (await panelOf(page).getByRole('img').getAttribute('src')) ?? '', boxes);
/** What the page itself shows, in px of its layout. */
const screenOf = async (page: Page, boxes: readonly Box[]) =>
  pixelsOf(page, `data:image/png;base64,${(await page.screenshot({ scale: 'css' })).toString('base64')}`, boxes);

/** The position of a face in a video: without the tile's edge, which shows who speaks, and its lower part with the
 * name. */
const faceIn = ({ x, y, width, height }: Box): Box => ({
  x: Math.round(x + width / 4),
  y: Math.round(y + height / 8),
  width: Math.round(width / 2),
  height: Math.round(height / 2),
});

/** The positions of a face, a person's name and a figure's name. */
async function personalBoxes(page: Page): Promise<Box[]> {
  // The field fits itself to a new figure.
  await centerOf(page, 'Aunt 1111');
  const boxes: Box[] = [faceIn((await page.locator('figure[data-person] video').first().boundingBox())!)];
  for (const where of [
    page.getByText('Nora 1111', { exact: true }),
    page.locator('svg text').filter({ hasText: 'Aunt 1111' }).first(),
  ]) {
    const { x, y, width, height } = (await where.boundingBox())!;
    boxes.push({ x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) });
  }
  return boxes;
}

/** Replaces a part of all texts that the page shows, in place. Digits have one width, so nothing moves. */
const rename = (page: Page, from: string, to: string) =>
  page.evaluate(
    ([before, after]) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      let count = 0;
      while (walker.nextNode()) {
        const text = walker.currentNode as Text;
        if (!text.data.includes(before!)) continue;
        text.data = text.data.replaceAll(before!, after!);
        count += 1;
      }
      return count;
    },
    [from, to],
  );

/** Stops the page's clock, once it is installed. A running clock may pass the time at which it should stop. */
const stopClock = (page: Page) =>
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)).toPass();

/** The operator opens a report's picture. Returns its pixels. */
async function arrivedPicture(operator: Page, id: number, boxes: readonly Box[]) {
  const card = operator.getByRole('region', { name: new RegExp(`Report ${id}\\b`) });
  await card.getByRole('button', { name: 'Show picture' }).click();
  const shown = operator.getByRole('dialog', { name: `Picture of report ${id}` });
  // By its name: the close button contains an image too, which is there before the picture.
  const picture = shown.getByRole('img', { name: `Picture of report ${id}` });
  await expect(picture).toBeVisible();
  const pixels = await pixelsOf(operator, (await picture.getAttribute('src')) ?? '', boxes);
  await screenshot(operator, `bug-reports-picture-${id}-1440`);
  await operator.keyboard.press('Escape');
  await expect(shown).toHaveCount(0);
  return pixels;
}

test('12.25 12.27 12.28 a fault in the room reaches the operator, without names or faces', async ({ visit }) => {
  const { therapist: page } = await openVideoRoom(visit, { name: 'Nora 1111' });
  await join(page, 'Start video', 'Join with camera');
  await seesMoving(page, 'You');
  await addFigure(page, 'female figure', 'Aunt 1111');
  await page.keyboard.press('Escape');
  const boxes = await personalBoxes(page);
  const screen = await screenOf(page, boxes);

  const panel = await openPanel(page);
  const preview = await previewOf(page, boxes);
  expect(preview.size).toBe('1280x720');
  expect(preview.colours).toBeGreaterThan(50);
  // Where the face was is an even surface.
  const green = preview.parts[0]!.filter((_, at) => at % 4 === 1);
  expect(Math.max(...green) - Math.min(...green)).toBeLessThan(32);
  await screenshot(page, 'bug-report-1440-light-en');
  await axeClean(page, 'bug report', '[data-bug-report]');

  // The missing fields are shown only after the first try.
  await expect(panel.getByText('Priority required')).toHaveCount(0);
  await panel.getByRole('button', { name: 'Send report' }).click();
  await expect(panel.getByText('Priority required')).toBeVisible();
  await expect(panel.getByText('Comment required')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Send report' })).toBeDisabled();
  await axeClean(page, 'bug report with faults', '[data-bug-report]');
  await panel.getByRole('radio', { name: 'Low' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(panel.getByRole('radio', { name: 'High', exact: true })).toBeChecked();
  await panel.getByLabel('What happened?').fill('The figure would not turn.');

  await page.route(SAVE, (route) =>
    route.fulfill({ status: 429, contentType: 'application/problem+json', body: '{"code":"too_many_requests"}' }),
  );
  await panel.getByRole('button', { name: 'Send report' }).click();
  await expect(panel.getByRole('alert')).toContainText('The report wasn’t sent');
  await expect(panel.getByLabel('What happened?')).toHaveValue('The figure would not turn.');
  await page.unroute(SAVE);
  // Here somebody closes the panel before it closes automatically.
  const letTimersGo = await holdTimers(page, BUG_SUCCESS_MS);
  await panel.getByRole('button', { name: 'Send report' }).click();
  await expect(panel.getByText('Thank you for your report!')).toBeVisible();
  await panel.getByRole('button', { name: 'Close' }).first().click();
  await expect(panel).toHaveCount(0);
  await expect(smiley(page)).toBeFocused();
  await letTimersGo();

  // The same page with other names, one of them a word of the interface, and a moment later: the video has moved.
  expect(await rename(page, 'Nora 1111', 'Messages')).toBeGreaterThan(0);
  expect(await rename(page, 'Aunt 1111', 'Aunt 2222')).toBeGreaterThan(0);
  const otherScreen = await screenOf(page, boxes);
  for (const part of [1, 2]) expect(difference(screen.parts[part]!, otherScreen.parts[part]!)).toBeGreaterThan(LOSS);
  await openPanel(page);
  expect((await previewOf(page, boxes)).parts).toEqual(preview.parts);
  await panel.getByRole('radio', { name: 'Highest' }).check();
  await panel.getByLabel('What happened?').fill('It happened again.');
  await page.clock.install();
  await stopClock(page);
  await panel.getByRole('button', { name: 'Send report' }).click();
  await expect(panel.getByText('Thank you for your report!')).toBeVisible();
  await page.clock.resume();
  await page.clock.fastForward(BUG_SUCCESS_MS + 100);
  await expect(panel).toHaveCount(0);

  const operator = (await visit(DESK)).page;
  await signIn(operator, ADMIN);
  await operator.goto('/app/bug-reports');
  const card = operator.getByRole('region', { name: /Report 1\b/ });
  for (const fact of ['The figure would not turn.', '/app/play-area', 'anna@demo.example'])
    await expect(card).toContainText(fact);
  await axeClean(operator, 'bug reports');
  await screenshot(operator, 'bug-reports-1440-light-en');
  const arrived = [await arrivedPicture(operator, 1, boxes), await arrivedPicture(operator, 2, boxes)];
  for (const { size, parts } of arrived) {
    expect(size).toBe('1280x720');
    for (const [at, part] of parts.entries()) {
      expect(difference(part, preview.parts[at]!)).toBeLessThan(LOSS);
      expect(difference(part, screen.parts[at]!)).toBeGreaterThan(LOSS);
    }
  }
  await card.getByRole('combobox', { name: 'State of report 1' }).click();
  // The field shows it before it is stored.
  const stored = operator.waitForResponse(
    (answer) => answer.url().endsWith(setBugReportState.path.replace('{reportId}', '1')) && answer.ok(),
  );
  await card.getByRole('option', { name: 'In progress' }).click();
  await expect(card.getByRole('combobox', { name: 'State of report 1' })).toHaveValue('In progress');
  await stored;
  await operator.reload();
  await expect(card.getByRole('combobox', { name: 'State of report 1' })).toHaveValue('In progress');
});

/** The box of an element, or of its text if it has one, in whole px, once it no longer moves. */
async function stillBox(part: Locator): Promise<Box> {
  const read = async () => {
    await nextFrames(part.page());
    return part.evaluate((element): Box => {
      const text = document.createRange();
      text.selectNodeContents(element);
      const { x, y, width, height } = (element.firstChild ? text : element).getBoundingClientRect();
      return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
    });
  };
  let box = await read();
  await expect(async () => {
    const before = box;
    box = await read();
    expect(box).toEqual(before);
  }).toPass({ intervals: [50] });
  return box;
}

/** The pictures of a client's room that the panel takes show nothing of these parts, whatever they contain. */
async function expectHidden(
  page: Page,
  open: (page: Page) => Promise<Locator>,
  boxes: readonly Box[],
  texts: readonly { at: number; from: string; to: string }[],
) {
  const screen = await screenOf(page, boxes);
  await open(page);
  const preview = await previewOf(page, boxes);
  expect(preview.colours).toBeGreaterThan(50);
  for (const [at, part] of preview.parts.entries()) expect(difference(part, screen.parts[at]!)).toBeGreaterThan(LOSS);
  await expect(panelOf(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panelOf(page)).toHaveCount(0);
  for (const { from, to } of texts) expect(await rename(page, from, to)).toBeGreaterThan(0);
  const otherScreen = await screenOf(page, boxes);
  for (const { at } of texts) expect(difference(otherScreen.parts[at]!, screen.parts[at]!)).toBeGreaterThan(0);
  await open(page);
  expect((await previewOf(page, boxes)).parts).toEqual(preview.parts);
  return { screen, preview };
}

/**
 * Fills in and sends the form, and waits until the server has the report and the panel has closed: automatically after
 * some seconds, or at once by hand.
 */
async function sendReport(page: Page, comment: string, { closing }: { closing: 'by itself' | 'at once' }) {
  const panel = panelOf(page);
  await panel.getByRole('radio', { name: 'High', exact: true }).check();
  await panel.getByLabel('What happened?').fill(comment);
  const saved = page.waitForResponse(SAVE);
  await panel.getByRole('button', { name: 'Send report' }).click();
  expect((await saved).status()).toBe(204);
  if (closing === 'at once') await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
}

test('12.20 12.25 12.29 clients report from a phone and a desktop, and the operator reads it without names', async ({
  visit,
}) => {
  const therapist = await openRoom(visit, desk);
  const { page: nora } = await admit(visit, therapist, { name: 'Nora 1111', options: phone });
  const { page: jonas } = await admit(visit, therapist, { name: 'Jonas 1111', options: desk });
  await addFigure(therapist, 'female figure', 'Aunt 1111');
  await addFigure(therapist, 'male figure', 'Uncle 1111');
  await therapist.keyboard.press('Escape');
  await giveRole(therapist, 'Nora 1111', 'Aunt 1111');
  await giveRole(therapist, 'Jonas 1111', 'Uncle 1111');
  const role = (page: Page) => page.getByTestId('own-role');
  await expect(role(nora)).toHaveText('Aunt 1111');
  await expect(role(jonas)).toHaveText('Uncle 1111');
  // Nora sees a face, and Jonas a message.
  await join(therapist, 'Start video', 'Join with camera');
  await accept(nora, 'Just watch and listen');
  await seesMoving(nora, 'Anna');
  await therapist.getByRole('button', { name: /^Messages/ }).click();
  const writing = therapist.getByRole('complementary', { name: 'Messages' });
  await writing.getByRole('textbox').fill('Only for this room');
  await writing.getByRole('button', { name: 'Send' }).click();
  await jonas.getByRole('button', { name: /^Messages/ }).click();
  const message = jonas.getByRole('complementary', { name: 'Messages' }).getByText('Only for this room');
  await expect(message).toBeVisible();

  const face = await stillBox(nora.locator('figure[data-person] video').first());
  const onPhone = [faceIn(face), await stillBox(role(nora))];
  const byNora = await test.step('on a phone it is an entry of “More”', async () => {
    await expect(smiley(nora)).toHaveCount(0);
    const hidden = await expectHidden(nora, openPanelByMore, onPhone, [{ at: 1, from: 'Aunt 1111', to: 'Aunt 2222' }]);
    // Where the face was is an even surface.
    const green = hidden.preview.parts[0]!.filter((_, at) => at % 4 === 1);
    expect(Math.max(...green) - Math.min(...green)).toBeLessThan(32);
    await screenshot(nora, 'bug-report-client-390-light-en');
    await axeClean(nora, 'bug report of a client', '[data-bug-report]');
    await expectWidth(nora, 390);
    await test.step('what happens on the field meanwhile is seen behind it', async () => {
      await dragBy(therapist, 'Mother', 60, 40);
      await expectDrawnAsStored(therapist, nora, jonas);
    });
    await sendReport(nora, 'The sound is gone.', { closing: 'at once' });
    await expect(moreButton(nora)).toBeFocused();
    await expectInRoom(nora);
    await seesMoving(nora, 'Anna');
    return hidden;
  });

  const onDesk = [await stillBox(message), await stillBox(role(jonas))];
  const byJonas = await test.step('on a desk the smiley stands in the top bar', async () => {
    const hidden = await expectHidden(jonas, openPanel, onDesk, [
      { at: 0, from: 'for this room', to: 'of that place' },
      { at: 1, from: 'Uncle 1111', to: 'Uncle 2222' },
    ]);
    await screenshot(jonas, 'bug-report-client-1280-light-en');
    await axeClean(jonas, 'bug report of a client on a desk', '[data-bug-report]');
    await sendReport(jonas, 'The figure would not turn.', { closing: 'by itself' });
    await expect(smiley(jonas)).toBeFocused();
    await expectInRoom(jonas);
    // The narrowest desktop window has room for it.
    await resize(jonas, 768, 900);
    for (const button of [smiley(jonas), jonas.getByRole('button', { name: /^Messages/ })])
      await expect(button).toBeInViewport({ ratio: 1 });
    await screenshot(jonas, 'room-client-768-smiley');
    return hidden;
  });

  const operator = (await visit(DESK)).page;
  await signIn(operator, ADMIN);
  await operator.goto('/app/bug-reports');
  for (const [id, comment, boxes, { screen, preview }] of [
    [1, 'The sound is gone.', onPhone, byNora],
    [2, 'The figure would not turn.', onDesk, byJonas],
  ] as const) {
    const card = operator.getByRole('region', { name: new RegExp(`Report ${id}\\b`) });
    for (const fact of [comment, '/app/play-area-view', 'A client']) await expect(card).toContainText(fact);
    for (const secret of ['Nora', 'Jonas', 'anna@demo.example']) await expect(card).not.toContainText(secret);
    const arrived = await arrivedPicture(operator, id, boxes);
    expect(arrived.size).toBe(preview.size);
    for (const [at, part] of arrived.parts.entries())
      expect(difference(part, preview.parts[at]!)).toBeLessThan(difference(part, screen.parts[at]!));
  }
});

test("12.26 the smiley has its place in a phone's room", async ({ visit }) => {
  const page = await openRoom(visit, phone);
  await openPanel(page);
  await screenshot(page, 'bug-report-room-390');
  await expectWidth(page, 390);
  await page.keyboard.press('Escape');
  await expect(smiley(page)).toBeFocused();
  await screenshot(page, 'room-390-smiley');
  await resize(page, 320, 640);
  await expectWidth(page, 320);
  const people = page.getByRole('button', { name: 'People', exact: true });
  const inSight = async (name: string) => {
    for (const button of [smiley(page), people]) await expect(button).toBeInViewport({ ratio: 1 });
    await screenshot(page, name);
  };
  await inSight('room-320-smiley');
  await join(page, 'Start video', 'Join with camera');
  await seesMoving(page, 'You');
  await inSight('room-320-video-smiley');
  await resize(page, 390, 844);
  await inSight('room-390-video-smiley');
});

test('12.26 on a phone, in German and dark; Escape closes, and opening again starts again', async ({ visit }) => {
  const { page } = await visit({ ...PHONE, colorScheme: 'dark', locale: 'de-DE' });
  await page.addInitScript(() => localStorage.setItem('language', 'de'));
  await page.addInitScript(() => localStorage.setItem('theme', 'dark.blueyale'));
  await page.goto('/user/login');
  await page.getByLabel('E-Mail').fill(ADMIN.email);
  await page.getByLabel('Passwort', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.waitForURL(/\/app\//);
  await page.goto('/app/bug-reports');
  await expect(page.getByRole('heading', { name: 'Noch keine Meldungen' })).toBeVisible();
  await axeClean(page, 'bug reports, empty');
  await screenshot(page, 'bug-reports-empty-390-dark-de');
  const german = page.getByRole('button', { name: 'Problem melden' });
  await german.click();
  const panel = page.getByRole('dialog', { name: 'Problem melden' });
  await expect(panel.getByRole('img')).toBeVisible();
  await panel.getByLabel('Was ist passiert?').fill('Etwas');
  await screenshot(page, 'bug-report-390-dark-de');
  await axeClean(page, 'bug report', '[data-bug-report]');
  await expect(async () => {
    const box = (await panel.boundingBox())!;
    expect(box.height).toBeLessThanOrEqual(0.8 * 844);
    expect([box.x >= 0, box.x + box.width <= 390]).toEqual([true, true]);
  }).toPass();
  await expectWidth(page, 390);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(german).toBeFocused();
  await resize(page, 320, 640);
  await expectWidth(page, 320);
  await expect(german).toBeInViewport({ ratio: 1 });
  await screenshot(page, 'bug-report-320-dark-de');
  await resize(page, 390, 844);
  await german.click();
  await expect(panel.getByLabel('Was ist passiert?')).toHaveValue('');
});
