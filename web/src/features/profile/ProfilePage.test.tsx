/** The profile: each section's requests, and what it shows of the answers (docs/product.md#3.17 to 3.29). */
import { focusManager, notifyManager } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../platform/fetching/queryClient.ts';
import { startWords, switchLanguage } from '../../platform/i18n/app.ts';
import { fetchProfileAhead } from './ProfilePage.tsx';
import { ANNA, type Answers, DEVICES, openProfile, refusal } from './profile.testing.tsx';
import type { Device } from './profileQueries.ts';

notifyManager.setScheduler(queueMicrotask);
beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['profile', 'events']);
});
afterEach(async () => {
  cleanup();
  window.localStorage.clear();
  vi.unstubAllGlobals();
  await switchLanguage('en');
});

const part = (name: string) => screen.findByRole('region', { name });
async function open(answers: Answers = {}, role?: 'ROLE_ADMIN') {
  const opened = openProfile(answers, role);
  await part('About you');
  return opened;
}
const press = async (within_: HTMLElement, name: string | RegExp) =>
  userEvent.click(within(within_).getByRole('button', { name }));

/** Returns to the tab. */
function comeBack() {
  act(() => focusManager.setFocused(false));
  act(() => focusManager.setFocused(true));
  focusManager.setFocused(undefined);
}

/** Chooses a file and accepts the suggested crop, as in a browser that has drawn the picture. */
async function cropPicture() {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ fillRect() {}, drawImage() {} } as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['x'])));
  const chosen = new File([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)], 'me.jpg', { type: 'image/jpeg' });
  await userEvent.upload(await screen.findByLabelText('Choose a picture', { selector: 'input' }), chosen);
  const picture = await screen.findByAltText('Picture preview');
  Object.defineProperties(picture, { naturalWidth: { value: 400 }, naturalHeight: { value: 400 } });
  fireEvent.load(picture);
  await userEvent.click(screen.getByRole('button', { name: 'Use this' }));
}

test('a failed fetch says so, and works when tried again', async () => {
  const { answers } = openProfile({ 'GET /api/me/profile': () => refusal('unavailable', 503) });
  expect((await screen.findByRole('alert')).textContent).toContain(
    'We couldn’t load your profile. The service isn’t available right now.',
  );
  answers['GET /api/me/profile'] = () => ANNA;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await part('About you')).toBeTruthy();
});

test('profile and devices are prefetched once', async () => {
  const often = { profile: 0, devices: 0 };
  const counted: Answers = {
    'GET /api/me/profile': () => ((often.profile += 1), ANNA),
    'GET /api/me/devices': () => ((often.devices += 1), DEVICES),
  };
  await open(counted);
  cleanup();
  expect(often).toEqual({ profile: 1, devices: 1 });
  const queries = createQueryClient();
  await fetchProfileAhead(queries);
  openProfile(counted, 'ROLE_THERAPIST', queries);
  await part('About you');
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(often).toEqual({ profile: 2, devices: 2 });
});

test('an operator without a practice has neither public page nor join link', async () => {
  await open({}, 'ROLE_ADMIN');
  expect(screen.queryByRole('region', { name: 'Public page' })).toBeNull();
  expect(screen.queryByRole('region', { name: 'Join link and code' })).toBeNull();
});

test('3.17 name, gender and zone are saved together, without undoing a language chosen in the top bar', async () => {
  const me = { firstName: 'Annabel', lastName: 'Lind', gender: 'female', language: 'de', timeZone: 'Europe/Vienna' };
  const { asked } = await open({ 'POST /api/me/profile': (body) => ({ ...ANNA, ...(body as object) }) });
  await switchLanguage('de');
  const section = await part('Über Sie');
  fireEvent.input(within(section).getByLabelText('Vorname'), { target: { value: 'Annabel' } });
  await userEvent.click(within(section).getByLabelText('Weiblich'));
  await press(section, 'Speichern');
  expect(await within(section).findByText('Gespeichert.')).toBeTruthy();
  expect(asked).toEqual([['POST /api/me/profile', me]]);
});

test('3.17 changes saved in another tab are not undone, and nothing typed is lost', async () => {
  const { asked, answers } = await open({ 'POST /api/me/profile': (body) => ({ ...ANNA, ...(body as object) }) });
  const section = await part('About you');
  fireEvent.input(within(section).getByLabelText('First name'), { target: { value: 'Annabel' } });
  answers['GET /api/me/profile'] = () => ({ ...ANNA, lastName: 'Berg', timeZone: 'Europe/Bucharest' });
  comeBack();
  const familyName = within(section).getByLabelText<HTMLInputElement>('Family name');
  await waitFor(() => expect(familyName.value).toBe('Berg'));
  await press(section, 'Save');
  expect(await within(section).findByText('Saved.')).toBeTruthy();
  expect(asked).toMatchObject([
    ['POST /api/me/profile', { firstName: 'Annabel', lastName: 'Berg', timeZone: 'Europe/Bucharest' }],
  ]);
});

test('3.17 an empty name is refused at its field, and nothing is sent', async () => {
  const { asked } = await open();
  const section = await part('About you');
  fireEvent.input(within(section).getByLabelText('First name'), { target: { value: ' ' } });
  await press(section, 'Save');
  expect(await within(section).findByText('First name required')).toBeTruthy();
  expect(asked).toEqual([]);
});

test('3.19 a free address is suggested; a taken one is refused at its field', async () => {
  const { asked, answers } = await open({ 'POST /api/me/page': () => refusal('slug_taken') });
  const section = await part('Public page');
  const slug = within(section).getByLabelText<HTMLInputElement>('Last part of the address');
  await press(section, 'Use anna-lind');
  expect(slug.value).toBe('anna-lind');
  await press(section, 'Save');
  expect(await within(section).findByText(/already belongs to another page/)).toBeTruthy();
  expect(slug.getAttribute('aria-invalid')).toBe('true');
  answers['POST /api/me/page'] = (body) => ({ ...ANNA, ...(body as object) });
  fireEvent.input(slug, { target: { value: 'anna--lind' } });
  await press(section, 'Save');
  expect(await within(section).findByText('This address can’t be used. Please choose another.')).toBeTruthy();
  fireEvent.input(slug, { target: { value: 'lind-anna' } });
  fireEvent.input(within(section).getByLabelText('About you', { selector: 'textarea' }), {
    target: { value: 'Calm.\n\n- one\n- two' },
  });
  expect(
    within(section)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['one', 'two']);
  await press(section, 'Save');
  expect(await within(section).findByText('Saved. Your page shows it now.')).toBeTruthy();
  expect(asked).toEqual([
    ['POST /api/me/page', { slug: 'anna-lind', line: '', about: '' }],
    ['POST /api/me/page', { slug: 'lind-anna', line: '', about: 'Calm.\n\n- one\n- two' }],
  ]);
  expect(within(section).getByText(/\/event\/lind-anna$/)).toBeTruthy();
});

test('text typed while a section is being saved stays, and is not marked as saved', async () => {
  const answer = Promise.withResolvers<unknown>();
  await open({ 'POST /api/me/page': () => answer.promise });
  const section = await part('Public page');
  const line = within(section).getByLabelText<HTMLInputElement>(/^One line/);
  const about = within(section).getByLabelText<HTMLTextAreaElement>('About you', { selector: 'textarea' });
  await press(section, 'Use anna-lind');
  fireEvent.input(line, { target: { value: ' Calm ' } });
  await press(section, 'Save');
  fireEvent.input(about, { target: { value: 'Since then' } });
  answer.resolve({ ...ANNA, slug: 'anna-lind', line: 'Calm' });
  await waitFor(() => expect(line.value).toBe('Calm'));
  expect(about.value).toBe('Since then');
  expect(within(section).queryByText('Saved. Your page shows it now.')).toBeNull();
});

test('two sections saved at once do not undo each other, in either order of answers', async () => {
  const me = Promise.withResolvers<unknown>();
  await open({
    'POST /api/me/profile': () => me.promise,
    'POST /api/me/page': (body) => ({ ...ANNA, ...(body as object) }),
  });
  const [about, page] = [await part('About you'), await part('Public page')];
  const line = within(page).getByLabelText<HTMLInputElement>(/^One line/);
  fireEvent.input(within(about).getByLabelText('First name'), { target: { value: 'Annabel' } });
  await press(about, 'Save');
  await press(page, 'Use anna-lind');
  fireEvent.input(line, { target: { value: 'Calm' } });
  await press(page, 'Save');
  expect(await within(page).findByText('Saved. Your page shows it now.')).toBeTruthy();
  me.resolve({ ...ANNA, firstName: 'Annabel' });
  expect(await within(about).findByText('Saved.')).toBeTruthy();
  expect(line.value).toBe('Calm');
});

test('3.21 a picture is uploaded and shown, and removed', async () => {
  const { asked } = await open({ 'POST /api/image/profile/upload/7': () => ({ picture: '/api/image/7?v=1' }) });
  const section = await part('Picture');
  await press(section, 'Choose a picture');
  await cropPicture();
  expect(await within(section).findByText('Your new picture is in place.')).toBeTruthy();
  expect(section.querySelector('img')?.getAttribute('src')).toBe('/api/image/7?v=1');
  await press(section, 'Remove');
  expect(await within(section).findByText('The picture is removed.')).toBeTruthy();
  expect(section.querySelector('img')).toBeNull();
  expect(asked).toEqual(['POST /api/image/profile/upload/7', 'DELETE /api/me/picture']);
});

test('3.21 stopping an upload is not a fault; a failed one says why', async () => {
  const { answers } = await open({ 'POST /api/image/profile/upload/7': () => new Promise(() => {}) });
  const section = await part('Picture');
  await press(section, 'Choose a picture');
  await cropPicture();
  await press(section, 'Cancel upload');
  await waitFor(() => expect(within(section).queryByRole('progressbar')).toBeNull());
  expect(within(section).queryByRole('alert')).toBeNull();
  expect(within(section).queryByText('Your new picture is in place.')).toBeNull();
  answers['POST /api/image/profile/upload/7'] = () => refusal('image_unreadable', 400);
  await press(section, 'Choose a picture');
  await cropPicture();
  expect((await within(section).findByRole('alert')).textContent).toContain('We can’t read this file as a picture.');
});

test('3.22 the join link is renewed after a question, and the code of a live session is shown', async () => {
  const { asked } = await open({
    'GET /api/room/state': () => ({ code: 'ABCDE' }),
    'POST /api/room/join-link': () => ({ joinLink: 'new-link' }),
  });
  const section = await part('Join link and code');
  expect(await within(section).findByText('ABCDE')).toBeTruthy();
  await press(section, 'Renew the link');
  await press(await screen.findByRole('dialog'), 'Keep the old link');
  expect(asked).toEqual([]);
  await press(section, 'Renew the link');
  await press(await screen.findByRole('dialog'), 'Renew the link');
  expect(await within(section).findByText(/\/user\/join\/new-link$/)).toBeTruthy();
});

test('3.25 a new address waits for its link: it can be sent again, or withdrawn', async () => {
  const pending = { email: 'anna@new.example', expiresAt: '2026-11-25T10:00:00.000Z' };
  const { asked, answers } = await open({
    'POST /api/me/email': () => refusal('current_password_wrong', 403),
    'POST /api/me/email/again': () => pending,
  });
  const section = await part('Email');
  await press(section, 'Change the address');
  const address = within(section).getByLabelText('New address');
  expect(document.activeElement).toBe(address);
  await userEvent.type(address, 'anna@new.example');
  await userEvent.type(within(section).getByLabelText('Your password'), 'quiet river');
  await press(section, 'Send the link');
  expect(await within(section).findByText('The current password must match')).toBeTruthy();
  answers['POST /api/me/email'] = () => pending;
  await press(section, 'Send the link');
  expect(await within(section).findByText('Waiting for you to confirm anna@new.example')).toBeTruthy();
  const title = within(section).getByRole('heading', { name: 'Email' });
  await waitFor(() => expect(document.activeElement).toBe(title));
  await press(section, 'Send the email again');
  expect(await within(section).findByText(/We’ve sent an email to anna@new\.example/)).toBeTruthy();
  await press(section, 'Cancel the change');
  expect(await within(section).findByText(/Your address stays anna@practice\.example/)).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(title));
  await press(section, 'Change the address');
  await press(section, 'Keep the address');
  expect(document.activeElement).toBe(within(section).getByRole('button', { name: 'Change the address' }));
  const sent = ['POST /api/me/email', { email: 'anna@new.example', password: 'quiet river' }];
  expect(asked).toEqual([sent, sent, 'POST /api/me/email/again', 'DELETE /api/me/email']);
});

test('3.25 an address confirmed in another tab is shown on returning, and no longer waits', async () => {
  const pending = { email: 'anna@new.example', expiresAt: '2026-11-25T10:00:00.000Z' };
  const { answers } = await open({
    'GET /api/me/profile': () => ({ ...ANNA, pendingEmail: pending }),
    'POST /api/me/email/again': () => pending,
  });
  const section = await part('Email');
  await press(section, 'Send the email again');
  expect(await within(section).findByText(/We’ve sent an email to anna@new\.example/)).toBeTruthy();
  answers['GET /api/me/profile'] = () => ({ ...ANNA, email: pending.email });
  comeBack();
  expect(await within(section).findByText('anna@new.example')).toBeTruthy();
  expect(within(section).queryByText(/We’ve sent an email/)).toBeNull();
  expect(within(section).queryByText(/^Waiting/)).toBeNull();
});

test('3.26 the last use of a device is shown in calendar days', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 11, 1, 9) });
  try {
    const [own, other] = DEVICES as [Device, Device];
    const lastUsedAt = new Date(2026, 10, 29, 12).toISOString();
    await open({ 'GET /api/me/devices': () => [own, { ...other, lastUsedAt }] });
    // Less than two days ago, and not yesterday.
    expect(await within(await part('Signed-in devices')).findByText(/^Last used 2 days ago/)).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test('3.26 one device is signed out, then all others', async () => {
  let devices = [...DEVICES];
  const { asked } = await open({
    'GET /api/me/devices': () => devices,
    [`DELETE /api/me/devices/${DEVICES[1]!.id}`]: () => void (devices = devices.filter((_, index) => index !== 1)),
    'DELETE /api/me/devices': () => void (devices = devices.slice(0, 1)),
  });
  const section = await part('Signed-in devices');
  await waitFor(() => expect(within(section).getAllByRole('listitem')).toHaveLength(3));
  await userEvent.click(within(section).getByRole('button', { name: /^Sign out ?: Safari on iPhone$/ }));
  expect(await within(section).findByText('Safari on iPhone is signed out.')).toBeTruthy();
  expect(document.activeElement).toBe(within(section).getByRole('heading', { name: 'Signed-in devices' }));
  await waitFor(() => expect(within(section).getAllByRole('listitem')).toHaveLength(2));
  await press(section, 'Sign out all other devices');
  expect(await within(section).findByText('One other device is signed out.')).toBeTruthy();
  await waitFor(() => expect(within(section).getAllByRole('listitem')).toHaveLength(1));
  expect(within(section).getByText('This device')).toBeTruthy();
  expect(asked).toEqual([`DELETE /api/me/devices/${DEVICES[1]!.id}`, 'DELETE /api/me/devices']);
});

test('3.27 a deletion asks for the password, is refused while people are booked, and can be withdrawn', async () => {
  let deletesOn: string | null = null;
  const { asked, answers } = await open({
    'GET /api/me/profile': () => ({ ...ANNA, deletesOn }),
    'POST /api/me/deletion': () => refusal('account_has_bookings'),
    'DELETE /api/me/deletion': () => void (deletesOn = null),
  });
  const section = await part('Delete the account');
  await press(section, 'Delete my account');
  const dialog = await screen.findByRole('dialog');
  await press(dialog, 'Delete my account');
  expect(await within(dialog).findByText('Please enter your password.')).toBeTruthy();
  await userEvent.type(within(dialog).getByLabelText('Your password'), 'quiet river');
  await press(dialog, 'Delete my account');
  expect((await within(dialog).findByRole('alert')).textContent).toContain('People are booked for your events.');
  answers['POST /api/me/deletion'] = () => ({ deletesOn: (deletesOn = '2026-12-08T10:00:00.000Z') });
  await press(dialog, 'Delete my account');
  expect(await within(section).findByText(/will be deleted on 8 December 2026/)).toBeTruthy();
  const title = within(section).getByRole('heading', { name: 'Delete the account' });
  await waitFor(() => expect(document.activeElement).toBe(title));
  await press(section, 'Keep my account');
  expect(await within(section).findByRole('button', { name: 'Delete my account' })).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(title));
  const sent = ['POST /api/me/deletion', { password: 'quiet river' }];
  expect(asked).toEqual([sent, sent, 'DELETE /api/me/deletion']);
});

test('3.25 to 3.27 an answer does not take the focus from somebody typing in another section', async () => {
  const pending = { email: 'anna@new.example', expiresAt: '2026-11-25T10:00:00.000Z' };
  let deletesOn: string | null = '2026-12-08T10:00:00.000Z';
  const answers = { email: Promise.withResolvers<unknown>(), devices: Promise.withResolvers<void>() };
  const kept = Promise.withResolvers<void>();
  await open({
    'GET /api/me/profile': () => ({ ...ANNA, deletesOn, pendingEmail: pending }),
    'POST /api/me/email/again': () => answers.email.promise,
    'DELETE /api/me/devices': () => answers.devices.promise,
    'DELETE /api/me/deletion': () => kept.promise,
  });
  const name = within(await part('About you')).getByLabelText('First name');
  const email = await part('Email');
  const devices = await part('Signed-in devices');
  const deletion = await part('Delete the account');
  await press(email, 'Send the email again');
  await userEvent.click(await within(devices).findByRole('button', { name: 'Sign out all other devices' }));
  await press(deletion, 'Keep my account');
  await userEvent.click(name);
  answers.email.resolve(pending);
  expect(await within(email).findByText(/We’ve sent an email/)).toBeTruthy();
  expect(document.activeElement).toBe(name);
  answers.devices.resolve();
  expect(await within(devices).findByText(/signed out\.$/)).toBeTruthy();
  expect(document.activeElement).toBe(name);
  deletesOn = null;
  kept.resolve();
  expect(await within(deletion).findByRole('button', { name: 'Delete my account' })).toBeTruthy();
  expect(document.activeElement).toBe(name);
});

test('3.27 an account that is deleted or kept on another screen does not move the focus here', async () => {
  const { answers } = await open();
  const section = await part('Delete the account');
  answers['GET /api/me/profile'] = () => ({ ...ANNA, deletesOn: '2026-12-08T10:00:00.000Z' });
  comeBack();
  expect(await within(section).findByRole('button', { name: 'Keep my account' })).toBeTruthy();
  expect(document.activeElement).toBe(document.body);
});

test('3.29 the export is saved unchanged; after too many, the page says when the next is possible', async () => {
  const files = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:export');
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const { answers } = await open({ 'GET /api/me/export': () => Response.json({ me: 'Anna' }) });
  const section = await part('Your data');
  await press(section, 'Download my data');
  expect(await within(section).findByText('The file is among your downloads.')).toBeTruthy();
  expect(await (files.mock.lastCall![0] as Blob).text()).toBe('{"me":"Anna"}');
  expect(saved).toEqual([expect.stringMatching(/^fieldroom-\d{4}-\d\d-\d\d\.json$/)]);
  answers['GET /api/me/export'] = () =>
    Response.json({ code: 'too_many_requests', status: 429, retryAfterSeconds: 1200 }, { status: 429 });
  await press(section, 'Download my data');
  expect((await within(section).findByRole('alert')).textContent).toContain('Please wait 20 minutes.');
});
