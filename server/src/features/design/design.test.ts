/** Designs over HTTP and STOMP on a real database. Numbers are those of README.md. */
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/design';
import type { Problem } from '../../platform/problem.ts';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { type BuiltClient, inRoom } from '../../builders/clients.builders.ts';
import { storedFiles } from '../../platform/platform.tables.ts';
import { openClientScreen, openTherapistScreen, type Screen } from '../../../tests/support/people/screen.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';

let t: TestApp;
let therapist: BuiltAccount;
let client: BuiltClient;
let desk: Screen;
beforeAll(async () => {
  t = await testApp({ env: { LIMIT_UPLOADS: '20/1h' } });
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db);
  desk = await openTherapistScreen(t.url, therapist);
  client = await inRoom(t.app, therapist);
  return async () => {
    await t.app.sessions.end(therapist.id, 'ended');
    await desk.leave();
  };
});

const save = (body: calls.TemplateInput) => t.api(calls.saveTemplate, { body }, { token: therapist.token });
const read = (token: string | null = therapist.token, therapistId: number = therapist.id) =>
  t.api(calls.allTemplates, { params: { therapistId: String(therapistId) } as never }, { token });
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#446688' } })
    .jpeg()
    .toBuffer();
async function upload(bytes: Uint8Array): Promise<{ status: number; body: { imageId: string; code?: string } }> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), 'ground.jpg');
  const answer = await t.fetch(`/api/template/image/upload/${therapist.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${therapist.token}` },
    body: form,
  });
  return { status: answer.status, body: (await answer.json()) as { imageId: string } };
}
const image = (token: string) =>
  t.call(calls.templateImage, { params: { therapistId: therapist.id } as never }, { token });
const stored = async () =>
  (await t.db.select({ id: storedFiles.id }).from(storedFiles).where(eq(storedFiles.ownerId, therapist.id))).map(
    ({ id }) => id,
  );

const DEFAULTS = [
  { type: 'BACKGROUND_COLOR', bgColor: null },
  { type: 'BACKGROUND_IMAGE', imageId: null },
  { type: 'LEFT_MENU', bgColor: null, textColor: null, selectedColor: null },
  { type: 'TOP_MENU', bgColor: null, textColor: null },
];

test('1. every part is saved separately; id 0 returns the defaults, for anybody', async () => {
  expect(await read()).toEqual(DEFAULTS);
  await save({ type: 'BACKGROUND_COLOR', bgColor: '#AABBCC' });
  await save({ type: 'LEFT_MENU', bgColor: '#202020', textColor: '#ffffff', selectedColor: '#303030' });
  await save({ type: 'TOP_MENU', bgColor: '#eeeeee', textColor: null });
  expect(await read()).toEqual([
    { type: 'BACKGROUND_COLOR', bgColor: '#aabbcc' },
    { type: 'BACKGROUND_IMAGE', imageId: null },
    { type: 'LEFT_MENU', bgColor: '#202020', textColor: '#ffffff', selectedColor: '#303030' },
    { type: 'TOP_MENU', bgColor: '#eeeeee', textColor: null },
  ]);
  await save({ type: 'LEFT_MENU', bgColor: null, textColor: null, selectedColor: null });
  expect((await read())[2]).toEqual(DEFAULTS[2]);
  for (const token of [null, client.token, therapist.token]) expect(await read(token, 0)).toEqual(DEFAULTS);
});

test('2. unreadable text is refused at its field, and nothing is stored', async () => {
  const refused = await save({ type: 'TOP_MENU', bgColor: '#ffffff', textColor: '#eeeeee' }).catch(
    (problem: Problem) => problem,
  );
  expect(refused).toMatchObject({
    code: 'invalid_input',
    more: { fields: [{ path: 'textColor', code: 'low_contrast' }] },
  });
  expect(await read()).toEqual(DEFAULTS);
});

test('3. the room gets its background at once and on joining; a client learns nothing else', async () => {
  const screen = await openClientScreen(t.url, client);
  expect((await screen.next('GROUND')).contents).toEqual({ color: null, imageId: null });
  await save({ type: 'BACKGROUND_COLOR', bgColor: '#224466' });
  for (const each of [screen, desk])
    expect((await each.next('GROUND', ({ contents }) => contents.color !== null)).contents).toEqual({
      color: '#224466',
      imageId: null,
    });
  // Unchanged values, and those for menus only, are not announced.
  const heard = screen.of('GROUND').length;
  await save({ type: 'BACKGROUND_COLOR', bgColor: '#224466' });
  await save({ type: 'TOP_MENU', bgColor: '#eeeeee', textColor: null });
  await screen.send('/app/check.connection', {});
  expect(screen.of('GROUND')).toHaveLength(heard);

  const late = await openClientScreen(t.url, await inRoom(t.app, therapist));
  expect((await late.next('GROUND')).contents.color).toBe('#224466');
  expect((await read(client.token)).map(({ type }) => type)).toEqual(['BACKGROUND_COLOR', 'BACKGROUND_IMAGE']);
  for (const each of [screen, late]) await each.leave();
});

test('4. a picture is re-encoded, shown only to the room, and replaced together with its file', async () => {
  const screen = await openClientScreen(t.url, client);
  const first = await upload(await picture(4000, 1000));
  expect(first.status).toBe(200);
  await screen.next('GROUND', ({ contents }) => contents.imageId === first.body.imageId);
  const shown = await image(client.token);
  expect([shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
    'image/webp',
    'private, no-store',
  ]);
  const { format, width, height } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
  expect([format, width, height]).toEqual(['webp', 1920, 480]);

  const second = await upload(await picture(40, 40));
  expect(await stored()).toEqual([second.body.imageId]);
  expect((await read())[1]).toEqual({ type: 'BACKGROUND_IMAGE', imageId: second.body.imageId });

  const bad = await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  expect(bad.body.code).toBe('image_unreadable');
  expect(await stored()).toEqual([second.body.imageId]);

  await save({ type: 'BACKGROUND_IMAGE', imageId: null });
  expect(await stored()).toEqual([]);
  expect((await image(client.token)).status).toBe(404);
  await screen.leave();
});

test('4. two uploads at the same moment leave one picture and one file', async () => {
  const bytes = await picture(60, 60);
  const both = await Promise.all([upload(bytes), upload(bytes)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const shown = (await read()).find(({ type }) => type === 'BACKGROUND_IMAGE') as { imageId: string };
  expect(await stored()).toEqual([shown.imageId]);
  expect(both.map(({ body }) => body.imageId)).toContain(shown.imageId);
});

test('5. the reset takes everything back, the file too', async () => {
  await save({ type: 'BACKGROUND_COLOR', bgColor: '#123456' });
  await save({ type: 'LEFT_MENU', bgColor: '#202020', textColor: null, selectedColor: null });
  await upload(await picture(60, 60));
  const from = desk.heard.length;
  await t.api(calls.resetDesign, {}, { token: therapist.token });
  expect(await read()).toEqual(DEFAULTS);
  expect(await stored()).toEqual([]);
  await desk.next('GROUND', ({ contents }) => contents.color === null, from);
});
