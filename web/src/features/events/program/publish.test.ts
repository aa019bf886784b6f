// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { addRows, type RowResult } from '../attendees/attendeeInput.ts';
import type { EventPayload } from '../eventsApi.ts';
import { stubUploads } from '../../../platform/fetching/sendFile.testing.ts';
import { NOT_YET, publish, type Publication, type ToPublish } from './publish.ts';

type Answer = () => Response | Promise<Response>;
/** The network's edge: answers by method and path, in sequence if there are several; the last one repeats. */
function network(answers: Record<string, Answer | Answer[]>) {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const name = `${init.method} ${address}`;
    asked.push(name);
    bodies.push(typeof init.body === 'string' ? JSON.parse(init.body) : init.body);
    const answer = answers[name];
    if (!answer) throw new TypeError(`no line for ${name}`);
    return Array.isArray(answer) ? ((answer.length > 1 ? answer.shift() : answer[0]) as Answer)() : answer();
  });
  return { asked, bodies };
}
const json = (body: unknown) => () => Response.json(body);
const refuse =
  (status: number, code: string, more = {}) =>
  () =>
    Response.json({ code, status, ...more }, { status });
const broken: Answer = () => {
  throw new TypeError('line');
};

const payload: EventPayload = {
  id: null,
  eventName: 'Finding  your place',
  type: 'GROUP',
  isOnline: true,
  dates: ['2026-12-13', '2026-12-12'],
  startTime: '09:30',
  endTime: '17:00',
  price: '240.00',
  currency: 'EUR',
  maximumParticipant: 8,
};
const picture = new File(['x'], 'picture.jpg', { type: 'image/jpeg' });
const reka = { firstName: 'Réka', familyName: 'Kis', email: 'reka@mail.example', phone: '' };
const levente = { firstName: 'Levente', familyName: 'Nagy', email: 'levente@mail.example', phone: '+36 1 234 5678' };
const wanted = (more: Partial<ToPublish> = {}): ToPublish => ({
  payload,
  picture: null,
  people: [],
  latestSeries: 4,
  ...more,
});
const SAVE = 'POST /api/event/save';
const UPLOAD = 'POST /api/event/images/31/upload?scope=later';
const ADD = 'POST /api/event-booking/user/31/add';
const LATEST = 'GET /api/event/findLatestByTherapistId/7';
const written = {
  id: 31,
  seriesId: 31,
  eventName: 'Finding your place',
  startTime: '09:30',
  dates: ['2026-12-12', '2026-12-13'],
};

beforeEach(() => {
  window.localStorage.clear();
  keepSignIn(storage, {
    token: 't',
    user: {
      id: 7,
      firstName: 'Anna',
      lastName: 'B',
      email: 'a@b.example',
      roles: ['ROLE_THERAPIST'],
      authorities: ['ROLE_THERAPIST'],
      language: 'en',
      slug: 'anna',
      joinLink: 'anna',
    },
  });
});
beforeEach(stubUploads);
afterEach(() => vi.unstubAllGlobals());

describe('publishing', () => {
  test('saves, then uploads the first picture, then adds attendees, one call a row', async () => {
    const { asked, bodies } = network({
      [SAVE]: json({ id: 31 }),
      [UPLOAD]: json({ fileName: 'x.webp' }),
      [ADD]: json({}),
    });
    const steps: string[] = [];
    const end = await publish(
      wanted({ picture, people: [reka, levente] }),
      NOT_YET,
      ({ step }) => steps.at(-1) === step || steps.push(step),
    );
    expect(asked).toEqual([SAVE, UPLOAD, ADD, ADD]);
    expect(bodies[0]).toEqual(payload);
    expect((bodies[1] as FormData).getAll('file').map((file) => (file as File).name)).toEqual(['picture.jpg']);
    expect(bodies.slice(2)).toEqual([
      { firstName: 'Réka', lastName: 'Kis', email: 'reka@mail.example', phoneNumber: '' },
      { firstName: 'Levente', lastName: 'Nagy', email: 'levente@mail.example', phoneNumber: '+36 1 234 5678' },
    ]);
    expect(steps).toEqual(['saving', 'uploading', 'adding', 'done']);
    expect(end).toMatchObject({ step: 'done', eventId: 31 });
  });
  test('without picture and attendees it only saves', async () => {
    const { asked } = network({ [SAVE]: json({ id: 31 }) });
    expect((await publish(wanted(), NOT_YET, () => {})).step).toBe('done');
    expect(asked).toEqual([SAVE]);
  });
  test('a refused save gives the reason and sends nothing more; the next try saves', async () => {
    const { asked } = network({
      [SAVE]: [refuse(400, 'invalid_input', { fields: [{ path: 'dates', code: 'in_past' }] }), json({ id: 31 })],
      [UPLOAD]: json({ fileName: 'x.webp' }),
    });
    const end = await publish(wanted({ picture }), NOT_YET, () => {});
    expect(end).toMatchObject({
      step: 'failed',
      eventId: null,
      uncertain: false,
      saveProblem: { code: 'invalid_input' },
    });
    expect((await publish(wanted({ picture }), end, () => {})).step).toBe('done');
    expect(asked).toEqual([SAVE, SAVE, UPLOAD]);
  });
  test('a failed upload is reported and retried without saving twice', async () => {
    const { asked } = network({
      [SAVE]: json({ id: 31 }),
      [UPLOAD]: [refuse(409, 'quota_reached'), json({ fileName: 'x.webp' })],
      [ADD]: json({}),
    });
    const first = await publish(wanted({ picture, people: [reka] }), NOT_YET, () => {});
    expect(first).toMatchObject({
      step: 'failed',
      eventId: 31,
      pictureProblem: { code: 'quota_reached' },
      rows: [{ state: 'done' }],
    });
    expect(await publish(wanted({ picture, people: [reka] }), first, () => {})).toMatchObject({
      step: 'done',
      pictureProblem: null,
    });
    expect(asked).toEqual([SAVE, UPLOAD, ADD, UPLOAD]);
  });
  test('a picture that has arrived is not sent again because of missing attendees', async () => {
    const { asked } = network({
      [SAVE]: json({ id: 31 }),
      [UPLOAD]: json({ fileName: 'x.webp' }),
      [ADD]: [refuse(409, 'event_full'), json({})],
    });
    const first = await publish(wanted({ picture, people: [reka] }), NOT_YET, () => {});
    expect(first).toMatchObject({ step: 'failed', pictureDone: true });
    expect((await publish(wanted({ picture, people: [reka] }), first, () => {})).step).toBe('done');
    expect(asked).toEqual([SAVE, UPLOAD, ADD, ADD]);
  });
  test('an upload reports its progress; stopped, it keeps the event, adds the attendees and is repeated by the next try', async () => {
    const stop = new AbortController();
    const { asked } = network({
      [SAVE]: json({ id: 31 }),
      [UPLOAD]: [() => new Promise<Response>(() => {}), json({ fileName: 'x.webp' })],
      [ADD]: json({}),
    });
    const parts: (number | null)[] = [];
    const first = await publish(
      wanted({ picture, people: [reka] }),
      NOT_YET,
      ({ sentPart }) => {
        if (parts.at(-1) !== sentPart) parts.push(sentPart);
        if (sentPart === 0.5) stop.abort();
      },
      stop.signal,
    );
    expect(parts).toEqual([null, 0, 0.5, null]);
    expect(first).toMatchObject({
      step: 'failed',
      eventId: 31,
      pictureStopped: true,
      pictureProblem: null,
      rows: [{ state: 'done' }],
    });
    expect(await publish(wanted({ picture, people: [reka] }), first, () => {})).toMatchObject({
      step: 'done',
      pictureStopped: false,
    });
    expect(asked).toEqual([SAVE, UPLOAD, ADD, UPLOAD]);
  });
  test.each([
    ['whose answer was lost', broken],
    ['that broke on the server, perhaps after it was stored,', refuse(500, 'unknown_fault')],
    ['that the server could not wait for', refuse(503, 'unavailable')],
  ])('a save %s is looked up before it is repeated', async (_, fault) => {
    const { asked } = network({ [SAVE]: fault, [LATEST]: json(written) });
    const first = await publish(wanted(), NOT_YET, () => {});
    expect(first).toMatchObject({ eventId: null, uncertain: true });
    expect(await publish(wanted(), first, () => {})).toMatchObject({ step: 'done', eventId: 31, saveProblem: null });
    expect(asked).toEqual([SAVE, LATEST]);
  });
  test.each([
    ['what was there before', { ...written, seriesId: 4 }],
    ['another event', { ...written, eventName: 'Evening circle' }],
    ['the same name on another day', { ...written, dates: ['2026-12-13'] }],
    ['nothing', null],
  ])('and repeated if there is %s', async (_, latest) => {
    const { asked } = network({ [SAVE]: [broken, json({ id: 32 })], [LATEST]: json(latest) });
    const first = await publish(wanted(), NOT_YET, () => {});
    expect((await publish(wanted(), first, () => {})).eventId).toBe(32);
    expect(asked).toEqual([SAVE, LATEST, SAVE]);
  });
  test('while the outcome is unknown and there is no connection, nothing is saved', async () => {
    const { asked } = network({ [SAVE]: json({ id: 31 }), [LATEST]: broken });
    const before: Publication = { ...NOT_YET, uncertain: true };
    expect(await publish(wanted(), before, () => {})).toMatchObject({ eventId: null, uncertain: true });
    expect(asked).toEqual([LATEST]);
  });
});

describe('adding attendees', () => {
  test('only failed rows are sent again, and each row reports its own result', async () => {
    const { asked, bodies } = network({ [ADD]: [json({}), refuse(409, 'event_full'), json({})] });
    const told: string[][] = [];
    const first = await addRows(31, [reka, levente], [], (results) => told.push(results.map(({ state }) => state)));
    expect(told).toEqual([
      ['sending', 'waiting'],
      ['done', 'waiting'],
      ['done', 'sending'],
      ['done', 'failed'],
    ]);
    expect(await addRows(31, [reka, levente], first, () => {})).toEqual([{ state: 'done' }, { state: 'done' }]);
    expect(asked).toHaveLength(3);
    expect(bodies[2]).toMatchObject({ firstName: 'Levente' });
  });
  test('an existing booking is a refusal, unless our own lost answer explains it', async () => {
    network({ [ADD]: refuse(409, 'already_booked') });
    const fresh = await addRows(31, [reka], [], () => {});
    expect(fresh[0]).toMatchObject({ state: 'failed', problem: { code: 'already_booked' } });
    const lost: RowResult[] = [{ state: 'failed', problem: null, lineBroke: true }];
    expect((await addRows(31, [reka], lost, () => {}))[0]).toEqual({ state: 'done' });
  });
});
