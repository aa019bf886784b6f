/** The therapist's profile page: what they change there, and where others see it. */
import { readFile } from 'node:fs/promises';
import { type BrowserContextOptions, type Page } from '@playwright/test';
import {
  axeClean,
  DEMO,
  DESK,
  expect,
  expectNoSidewaysScrolling,
  PHONE,
  screenshot,
  signIn,
  test,
} from '../../journey.ts';
import { linkIn, nextEmail } from '../people.ts';

const NEW_EMAIL = 'anna@new.example';
const NEW_PASSWORD = 'slow clouds over the field';
const DARK_PHONE: BrowserContextOptions = { ...PHONE, colorScheme: 'dark' };

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const userMenu = (page: Page) => page.getByRole('button', { name: /^Your menu/ });

async function openProfile(page: Page): Promise<void> {
  await page.goto('/app/profile');
  await expect(part(page, 'About you')).toBeVisible();
}

/** A wide picture, red on its left and blue on its right. */
async function twoHalves(page: Page) {
  const drawn = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 800, height: 400 });
    const context = canvas.getContext('2d')!;
    context.fillStyle = '#c03030';
    context.fillRect(0, 0, 400, 400);
    context.fillStyle = '#3050c0';
    context.fillRect(400, 0, 400, 400);
    return canvas.toDataURL('image/png');
  });
  return {
    name: 'me.png',
    mimeType: 'image/png',
    buffer: Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64'),
  };
}

/** Returns the colour in the middle of the first profile picture within a part of the page. Throws unless it is a
 * square. */
async function middleOf(page: Page, within: string): Promise<string> {
  return page
    .locator(`${within} img[src*="/api/image/"]`)
    .first()
    .evaluate(async (element) => {
      const image = element as HTMLImageElement;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const [red = 0, , blue = 0] = context.getImageData(width / 2, height / 2, 1, 1).data;
      return width === height ? (red > blue ? 'red' : 'blue') : `${width} × ${height}`;
    });
}

/** Waits for it. A picture that is being decoded again is not there yet. */
async function expectMiddle(page: Page, within: string, color: string): Promise<void> {
  await expect(async () => expect(await middleOf(page, within)).toBe(color), `the picture in ${within}`).toPass();
}

test('name, picture and public page: changed on the profile page, seen in the top bar and by others', async ({
  visit,
}) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await userMenu(page).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await page.waitForURL('**/app/profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  await axeClean(page, 'profile');
  await screenshot(page, 'profile-1440-light-en');

  const me = part(page, 'About you');
  await me.getByLabel('First name').fill('Annabel');
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay here' }).click();
  await me.getByRole('radio', { name: 'Female', exact: true }).check();
  await me.getByRole('button', { name: 'Save' }).click();
  await expect(me.getByText('Saved.')).toBeVisible();
  await expect(userMenu(page)).toContainText('Annabel');

  // Only with the keyboard: open, crop, use. Only the choice of a file is the system's own window.
  const picture = part(page, 'Picture');
  await picture.getByRole('button', { name: 'Choose a picture' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Picture' });
  await dialog.locator('input[type=file]').setInputFiles(await twoHalves(page));
  const frame = dialog.getByRole('group', { name: 'Visible part' });
  await expect(frame).toBeFocused();
  // Keys do nothing before the picture's size is known.
  await expect(frame).toHaveAttribute('aria-busy', 'false');
  // Until the picture's left end is in the frame.
  for (let step = 0; step < 16; step += 1) await page.keyboard.press('ArrowRight');
  await screenshot(page, 'profile-crop-1440-light-en');
  await axeClean(page, 'the crop', '[role=dialog]');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('slider')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Use this' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(picture.getByText('Your new picture is in place.')).toBeVisible();
  await expectMiddle(page, 'header', 'red');

  const publicPage = part(page, 'Public page');
  await publicPage.getByLabel('Last part of the address').fill('annabel-demo');
  await publicPage.getByLabel('One line about your work').fill('Constellations in Vienna');
  await publicPage
    .getByRole('textbox', { name: 'About you', exact: true })
    .fill('I work with groups.\n\n- small\n- calm');
  await expect(publicPage.getByRole('figure').getByRole('listitem')).toHaveText(['small', 'calm']);
  await publicPage.getByRole('button', { name: 'Save' }).click();
  await expect(publicPage.getByText('Saved. Your page shows it now.')).toBeVisible();

  const { page: visitor } = await visit(PHONE);
  await visitor.goto('/event/anna');
  await visitor.waitForURL('**/event/annabel-demo');
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Annabel Demo');
  await expect(visitor.getByText('Constellations in Vienna')).toBeVisible();
  await expect(part(visitor, 'About Annabel').getByRole('listitem')).toHaveText(['small', 'calm']);
  await expectMiddle(visitor, 'main', 'red');
  await axeClean(visitor, 'the public page');
  await screenshot(visitor, 'profile-public-390-light-en');

  await picture.getByRole('button', { name: 'Remove' }).click();
  await expect(picture.getByText('The picture is removed.')).toBeVisible();
  await expect(page.locator('header img')).toHaveCount(0);
});

test('the join link is renewed after a question; the old one no longer works', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await openProfile(page);
  const join = part(page, 'Join link and code');
  const link = join.getByRole('group', { name: 'Join link' }).locator('code');
  await expect(link).toHaveText(/\/user\/join\/anna$/);
  await join.getByRole('button', { name: 'Renew the link' }).click();
  const question = page.getByRole('dialog', { name: 'Renew the join link?' });
  await question.getByRole('button', { name: 'Renew the link' }).click();
  await expect(join.getByText('There is a new join link.')).toBeVisible();
  await expect(link).not.toHaveText(/\/anna$/);
  await join.getByRole('group', { name: 'Join link' }).getByRole('button', { name: 'Copy' }).click();
  const shownLink = (await link.textContent()) ?? '';
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain(shownLink);
  const address = await copied();
  const { page: client } = await visit(PHONE);
  await client.goto(address);
  await expect(client.getByLabel('Your name')).toBeVisible();
  await client.goto('/user/join/anna');
  await expect(client.getByRole('heading', { name: 'We can’t find this room' })).toBeVisible();
});

test('email changed by its link, password, a second device, and everything as a file', async ({ visit, server }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  const { page: phone } = await visit(PHONE);
  // Signed in, with no open page that would go to the sign-in page while the journey opens another.
  const signInOnPhone = async () => {
    await signIn(phone);
    await phone.goto('about:blank');
  };
  await signInOnPhone();
  await openProfile(page);

  const devices = part(page, 'Signed-in devices');
  // This device is first, then the one that used the account last.
  await expect(devices.getByRole('listitem').first()).toContainText('This device');
  const before = await devices.getByRole('listitem').count();
  await devices
    .getByRole('button', { name: /^Sign out ?: / })
    .first()
    .click();
  await expect(devices.getByRole('listitem')).toHaveCount(before - 1);
  await phone.goto('/app/profile');
  await phone.waitForURL(/\/user\/login/);
  await signInOnPhone();

  const password = part(page, 'Password');
  const fill = async (current: string) => {
    await password.getByLabel('Current password').fill(current);
    await password.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await password.getByLabel('Repeat the new password').fill(NEW_PASSWORD);
    await password.getByRole('button', { name: 'Change the password' }).click();
  };
  await fill('not my password');
  await expect(password.getByText('The current password must match')).toBeVisible();
  await expect(password.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true');
  await expect(password.getByLabel('Current password')).toBeFocused();
  await fill(DEMO.password);
  await expect(password.getByText('Your password is changed.')).toBeVisible();
  await expect(password.getByLabel('Current password')).toHaveValue('');
  await phone.goto('/app/profile');
  await phone.waitForURL(/\/user\/login/);

  const email = part(page, 'Email');
  await email.getByRole('button', { name: 'Change the address' }).click();
  await email.getByLabel('New address').fill(NEW_EMAIL);
  await email.getByLabel('Your password').fill(NEW_PASSWORD);
  await email.getByRole('button', { name: 'Send the link' }).click();
  await expect(email.getByText(`Waiting for you to confirm ${NEW_EMAIL}`)).toBeVisible();
  await screenshot(page, 'profile-email-1440-light-en');
  const link = linkIn(await nextEmail(server, NEW_EMAIL), '/user/confirm-email');
  // Without a sign-in: opening the page changes nothing, the button does.
  await phone.goto(link);
  await expect(phone.getByText('Is this your new address?')).toBeVisible();
  await axeClean(phone, 'confirm a new address');
  await screenshot(phone, 'profile-confirm-email-390-light-en');
  await phone.getByRole('button', { name: 'Yes, use this address' }).click();
  await expect(phone.getByText(NEW_EMAIL)).toBeVisible();
  await signIn(phone, { email: NEW_EMAIL, password: NEW_PASSWORD });

  await openProfile(phone);
  await expect(part(phone, 'Email').getByText(NEW_EMAIL)).toBeVisible();
  // Everything above it has loaded, so that the button does not move under the press.
  await expect(phone.locator('#my-devices').getByRole('listitem').first()).toBeVisible();
  const download = phone.waitForEvent('download');
  await part(phone, 'Your data').getByRole('button', { name: 'Download my data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^fieldroom-.*\.json$/);
  const text = await readFile((await file.path())!, 'utf8');
  expect(JSON.parse(text)).toBeTruthy();
  expect(text).toContain(NEW_EMAIL);
  expect(text).not.toContain('argon2');
});

test('an account is deleted, and the deletion is cancelled from the notice', async ({ visit, server }) => {
  const { page } = await visit(DARK_PHONE);
  await page.addInitScript(() => localStorage.setItem('theme', 'dark.blueyale'));
  await signIn(page, { email: 'admin@demo.example', password: 'constellation' });
  await openProfile(page);
  const ending = part(page, 'Delete the account');
  await ending.getByRole('button', { name: 'Delete my account' }).click();
  const question = page.getByRole('dialog', { name: 'Delete the account?' });
  await question.getByLabel('Your password').fill('not my password');
  await question.getByRole('button', { name: 'Delete my account' }).click();
  await expect(question.getByText('The current password must match')).toBeVisible();
  await axeClean(page, 'delete the account', '[role=dialog]');
  await screenshot(page, 'profile-delete-390-dark-en');
  await question.getByLabel('Your password').fill('constellation');
  await question.getByRole('button', { name: 'Delete my account' }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByText(/Your account will be deleted on/)).toHaveCount(2);
  expect((await nextEmail(server, 'admin@demo.example')).text).toContain('/user/login');
  await screenshot(page, 'profile-deletion-390-dark-en');
  await axeClean(page, 'an account that waits for its deletion');
  // The notice at the top offers it first.
  await page.getByRole('button', { name: 'Keep my account' }).first().click();
  await expect(page.getByText('Your account stays.')).toBeVisible();
  await expect(ending.getByRole('button', { name: 'Delete my account' })).toBeVisible();
});

for (const [name, options, language] of [
  ['390-dark-de', DARK_PHONE, 'de'],
  ['1440-light-hu', DESK, 'hu'],
  ['390-light-ro', PHONE, 'ro'],
] as const)
  test(`the page in another size and language: ${name}`, async ({ visit }) => {
    const { page } = await visit(options);
    await signIn(page);
    const theme = name.includes('dark') ? 'dark.blueyale' : 'light.blueyale';
    await page.evaluate(
      (kept) => {
        for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
      },
      { language, theme },
    );
    await page.goto('/app/profile');
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.locator('#my-delete')).toBeVisible();
    await expect(page.locator('#my-devices').getByRole('listitem').first()).toBeVisible();
    await expectNoSidewaysScrolling(page);
    await axeClean(page, name);
    await screenshot(page, `profile-${name}`);
  });
