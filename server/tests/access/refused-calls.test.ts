/**
 * Every call of the contract, made by everybody who may not make it and in every wrong way: the test tries the table of
 * callers on the whole server, so that a call that is mounted tomorrow is tried too.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { CALLS } from '@fieldroom/contract/calls';
import { type Access, accessRule, type Endpoint } from '@fieldroom/contract/http';
import { PROBLEMS, type ProblemBody, type ProblemCode } from '@fieldroom/contract/problems';
import { anAdmin, aSignIn, aTherapist, type BuiltAccount } from '../../src/builders/accounts.builders.ts';
import { aPerson } from '../../src/builders/billing.builders.ts';
import { aClient, inRoom } from '../../src/builders/clients.builders.ts';
import { testApp, type TestApp } from '../support/test-app.ts';
import { aPractice, everyRow, linesOf, type Practice } from '../support/people/practice.ts';

let t: TestApp;
let ours: Practice;
let theirs: Practice;
let admin: BuiltAccount;
/** Tokens that were valid once. */
let signedOut: string;
let sentOut: string;
let declined: string;

beforeAll(async () => {
  t = await testApp({
    env: {
      LIMIT_SIGN_IN: '1000000/60',
      LIMIT_CAPTCHA: '1000000/60',
      LIMIT_REGISTER: '1000000/60',
      LIMIT_RESET: '1000000/60',
      LIMIT_WRONG_CODE: '1000000/60',
      LIMIT_WRONG_CODE_ROOMS: '1000000/60',
    },
  });
  [ours, theirs] = [await aPractice(t), await aPractice(t)];
  for (const practice of [ours, theirs]) await linesOf(t, practice);
  admin = await anAdmin(t.db);
  const somebody = await aTherapist(t.db);
  signedOut = await aSignIn(t.db, somebody.id);
  expect(
    (
      await t.fetch(`/api/authentication/logout/${somebody.id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${signedOut}` },
      })
    ).status,
  ).toBe(204);
  const out = await inRoom(t.app, ours.therapist);
  await t.app.clients.remove(ours.therapist.id, out.id);
  const away = await aClient(t.app, ours.therapist);
  await t.app.clients.decline(ours.therapist.id, [away.id]);
  [sentOut, declined] = [out.token, away.token];
});
afterAll(() => t.close());

let before: Record<string, string[]>;
beforeEach(async () => {
  before = await everyRow(t.db);
});

interface Input {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  /** Comes as a form with a file, and with these fields. */
  form?: boolean;
  fields?: Record<string, string>;
}

/** What the call would need to succeed in a practice: its therapist, its role's holder, its figures and its event. */
function wanted(endpoint: Endpoint, practice: Practice): Input {
  const { therapist, holder, held, event } = practice;
  switch (`${endpoint.method} ${endpoint.path}`) {
    case 'POST /api/authentication/login':
    case 'POST /api/public/verification':
      return { body: { email: therapist.email, password: 'wrong wrong wrong' } };
    case 'POST /api/authentication/logout/{userId}':
    case 'POST /api/authentication/isTheripstLoggedIn/{userId}':
    case 'POST /api/authentication/sessionOut/{userId}':
    case 'POST /api/authentication/theripstDisconnected/{userId}':
    case 'POST /api/authentication/theripstConnected/{userId}':
      return { params: { userId: therapist.id } };
    case 'POST /api/authentication/register':
      return {
        body: {
          firstName: 'A',
          lastName: 'B',
          email: 'new@practice.example',
          password: 'seven blue kettles',
          gender: 'female',
          language: 'en',
          licenseAccepted: true,
          dataAccepted: true,
          captcha: 'none',
        },
      };
    case 'POST /api/authentication/verify':
    case 'POST /api/authentication/checkPasswordToken':
      return { body: { token: 'x'.repeat(43) } };
    case 'POST /api/authentication/reset':
      return { body: { email: 'nobody@practice.example' } };
    case 'POST /api/authentication/changePassword':
      return { body: { token: 'x'.repeat(43), password: 'seven blue kettles' } };
    case 'POST /api/updateLanguage':
      return { body: { userId: therapist.id, languageCode: 'hu' } };
    case 'POST /api/updateAccountInfo':
      return { body: { id: therapist.id, firstName: 'A', lastName: 'B' } };
    case 'POST /api/profile/update':
      return { body: { id: therapist.id, line: 'A line' } };
    case 'POST /api/profile/check/password/{password}/{therapistId}':
      return { params: { password: 'wrong wrong wrong', therapistId: therapist.id } };
    case 'POST /api/image/profile/upload/{therapistId}':
      return { params: { therapistId: therapist.id }, form: true };
    case 'POST /api/me/profile':
      return { body: { firstName: 'A', lastName: 'B', gender: null, language: 'en', timeZone: 'UTC' } };
    case 'POST /api/me/page':
      return { body: { slug: 'a-new-slug', line: '', about: '' } };
    case 'POST /api/me/password':
      return { body: { current: 'wrong wrong wrong', password: 'six green umbrellas' } };
    case 'POST /api/me/email':
      return { body: { email: 'new@practice.example', password: 'wrong wrong wrong' } };
    case 'POST /api/public/email/confirm':
    case 'POST /api/public/email/restore':
      return { body: { token: 'x'.repeat(43) } };
    case 'DELETE /api/me/devices/{deviceId}':
      return { params: { deviceId: crypto.randomUUID() } };
    case 'POST /api/me/deletion':
      return { body: { password: 'wrong wrong wrong' } };
    case 'GET /api/image/{therapistId}':
    case 'POST /api/getUser/{therapistId}':
    case 'POST /api/getAllUnregisterByTherapistId/{therapistId}':
    case 'GET /api/participant/all/{therapistId}':
    case 'GET /api/svg_img/all/{therapistId}':
      return { params: { therapistId: therapist.id } };
    case 'POST /api/getAllUnregisterByTherapistIdAndJoinedOnAfterDateAndActive/{therapistId}':
      return { params: { therapistId: therapist.id }, body: {} };
    case 'POST /api/updateUnregisteredUserSelected':
      return { body: { id: holder.id, selected: true } };
    case 'POST /api/setUnregisteredUserActive/{userId}':
    case 'POST /api/setUnregisteredUserNonActive/{userId}':
      return { params: { userId: holder.id } };
    case 'POST /api/setUnregisteredUserRole/{userId}/{participantId}':
    case 'POST /api/setUnregisteredUserActiveRole/{userId}/{participantId}':
    case 'POST /api/removeUnregisteredUserRole/{userId}/{participantId}':
      return { params: { userId: holder.id, participantId: held.id } };
    case 'POST /api/participant/save':
      return { body: { id: held.id, x: 9 } };
    case 'POST /api/participant/saveAll':
      return { body: [{ id: held.id, x: 9, updatedOn: 1000 }] };
    case 'POST /api/participant/toggleShowText':
    case 'POST /api/participant/toggleIconType':
      return { body: { id: held.id } };
    case 'POST /api/participant/setShowText':
      return { query: { value: 'false' } };
    case 'POST /api/svg_img/save':
      return { body: { name: 'Tree', image: '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>' } };
    case 'GET /api/me/constellations/{constellationId}':
    case 'DELETE /api/me/constellations/{constellationId}':
      return { params: { constellationId: practice.constellationId } };
    case 'POST /api/me/constellations':
      return { body: { name: 'The field of today' } };
    case 'POST /api/me/constellations/{constellationId}/rename':
      return { params: { constellationId: practice.constellationId }, body: { name: 'Another name' } };
    case 'GET /api/template/all/{therapistId}':
    case 'GET /api/template/image/{therapistId}':
      return { params: { therapistId: therapist.id } };
    case 'POST /api/template/image/upload/{therapistId}':
      return { params: { therapistId: therapist.id }, form: true };
    case 'POST /api/template/save':
      return { body: { type: 'BACKGROUND_COLOR', bgColor: '#336699' } };
    case 'POST /api/svg_img/delete/{id}':
      return { params: { id: 1 } };
    case 'GET /api/svg_img/image/{therapistId}/{id}':
      return { params: { therapistId: therapist.id, id: 1 } };
    case 'GET /api/room/door/{joinLink}':
      return { params: { joinLink: therapist.joinLink } };
    case 'POST /api/room/enter':
      return { body: { joinLink: 'nobody-here', name: 'Somebody' } };
    case 'POST /api/room/admit':
    case 'POST /api/room/decline':
      return { body: { clientIds: [practice.waiting.id] } };
    case 'POST /api/room/remove':
      return { body: { clientId: holder.id } };
    case 'POST /api/room/video-ticket':
      return { body: {} };
    case 'POST /api/room/video':
      return { body: { clientsVisible: false } };
    case 'POST /api/room/client-messages':
      return { body: { mayWrite: false } };
    case 'POST /api/room/observer-words':
      return { body: { invited: true } };
    case 'POST /api/room/video/stage':
      return { body: { clientIds: [holder.id] } };
    case 'POST /api/room/video/mute':
      return { body: { clientIds: 'all' } };
    case 'POST /api/room/video/ask':
      return { body: { clientId: holder.id } };
    case 'POST /api/room/hand':
      return { body: { raised: true, clientId: holder.id } };
    case 'POST /api/me/event/preview':
    case 'POST /api/event/save':
      return {
        body: {
          id: event.id,
          eventName: 'Changed',
          type: 'GROUP',
          isOnline: true,
          dates: event.dates,
          startTime: '18:00',
          endTime: '19:00',
          price: '1.00',
          currency: 'EUR',
          maximumParticipant: 9,
        },
      };
    case 'POST /api/event/images/{eventId}/upload':
      return { params: { eventId: event.id }, form: true };
    case 'POST /api/event/upcoming/{therapistName}':
      return { params: { therapistName: therapist.slug }, body: { keyword: 'constellations' } };
    case 'POST /api/event/cancel':
      return { body: { eventId: event.id, reason: 'It cannot be.' } };
    case 'GET /api/event/image/{eventId}/{fileName}':
      return { params: { eventId: event.id, fileName: 'none.webp' } };
    case 'DELETE /api/event/delete/{id}':
      return { params: { id: event.id } };
    case 'GET /api/event/findDistinctAddressByTheripstId/{id}':
    case 'GET /api/event/findDistinctNameByTheripstId/{id}':
    case 'GET /api/event/findLatestByTherapistId/{id}':
      return { params: { id: therapist.id } };
    case 'POST /api/me/retention':
      return { body: { attendanceMonths: 3 } };
    case 'POST /api/me/billing/customer':
      return { body: aPerson() };
    case 'GET /api/me/bills/{billId}/pdf':
      return { params: { billId: practice.billId } };
    case 'POST /api/me/notices/{noticeId}/read':
      return { params: { noticeId: practice.noticeId } };
    case 'POST /api/me/notices/read':
      return { body: { upTo: 1 } };
    case 'POST /api/me/events':
      return { body: { list: 'upcoming' } };
    case 'GET /api/me/event/{eventId}':
      return { params: { eventId: event.id } };
    case 'GET /api/public/events/{therapistName}':
      return { params: { therapistName: therapist.slug } };
    case 'GET /api/public/event/{therapistName}/{eventId}':
      return { params: { therapistName: therapist.slug, eventId: event.id } };
    case 'POST /api/room/admission':
      return { body: { admission: 'open' } };
    case 'GET /api/event-booking/{eventId}':
      return { params: { eventId: event.id } };
    case 'POST /api/event-booking/user/{eventId}/add':
      return {
        params: { eventId: event.id },
        body: { firstName: 'A', lastName: 'B', email: 'added@mail.example', phoneNumber: '+36 1 555' },
      };
    case 'POST /api/event-booking/user/{eventId}':
      return {
        params: { eventId: event.id },
        body: {
          firstName: 'A',
          lastName: 'B',
          email: 'booked@mail.example',
          phoneNumber: '+36 1 555 66',
          language: 'ro',
        },
      };
    case 'POST /api/event-booking/user/{eventId}/delete':
      return {
        params: { eventId: event.id },
        body: { participant: { email: 'booked@mail.example', phone: '' }, reason: 'R' },
      };
    case 'GET /api/event-booking/confirm':
    case 'POST /api/event-booking/decline':
      return { query: { token: 'x'.repeat(43) } };
    case 'POST /api/public/booking/hold':
    case 'POST /api/public/booking/resend':
      return { body: { handle: 'x'.repeat(43) } };
    case 'POST /api/public/booking/correct':
      return { body: { handle: 'x'.repeat(43), email: 'corrected@mail.example' } };
    case 'POST /api/public/booking/links':
      return { body: { email: 'booked@mail.example' } };
    case 'POST /api/public/booking/look':
    case 'POST /api/public/booking/view':
    case 'POST /api/public/booking/cancel':
    case 'POST /api/public/booking/link':
    case 'POST /api/public/booking/calendar':
    case 'POST /api/public/booking/enter':
      return { body: { token: 'x'.repeat(43) } };
    case 'POST /api/session/findAll':
    case 'POST /api/session/findAll/details':
      return { body: { keyword: 'a' } };
    case 'POST /api/session/sendEmail':
      return { body: { id: 987_654, email: 'colleague@mail.example' } };
    case 'GET /api/me/session/{sessionId}/replay':
    case 'GET /api/me/session/{sessionId}/replay/{firstMove}':
      return { params: { sessionId: practice.liveSessionId, firstMove: 1 } };
    case 'GET /api/me/moment/{momentId}':
    case 'DELETE /api/me/moment/{momentId}':
      return { params: { momentId: practice.momentId } };
    case 'POST /api/me/moment/{momentId}/name':
      return { params: { momentId: practice.momentId }, body: { name: 'After the turn' } };
    case 'POST /api/me/search':
      return { body: { key: 'constellations', kind: 'events', from: 0, size: 5 } };
    case 'POST /api/cronjob/findByType':
      return { body: { type: 'RETENTION' } };
    case 'POST /api/cronjob/save':
      return { body: { type: 'RETENTION', schedule: '5 4 * * *' } };
    case 'POST /api/admin/cronjob/run':
      return { body: { type: 'RETENTION' } };
    case 'POST /api/admin/usage':
    case 'POST /api/admin/usage/csv':
      return { body: { keyword: 'a' } };
    case 'POST /api/admin/therapist/{therapistId}/suspend':
    case 'POST /api/admin/therapist/{therapistId}/reinstate':
      return { params: { therapistId: therapist.id } };
    case 'POST /logger_api/logger/bug/report/save':
      return {
        fields: { value: JSON.stringify({ appId: 'fieldroom', priority: 4, comment: 'C', noImg: false }) },
        form: true,
      };
    case 'POST /api/admin/bug-reports':
      return { body: { state: 'NEW' } };
    case 'POST /api/admin/bug-report/{reportId}/state':
      return { params: { reportId: 1 }, body: { state: 'DONE' } };
    case 'GET /api/timer/{userId}':
    case 'POST /api/stopTimer/{userId}':
      return { params: { userId: therapist.id } };
    case 'POST /api/startTimer/{userId}':
      return { params: { userId: therapist.id }, body: { tab: crypto.randomUUID() } };
    case 'POST /api/scheduleTimerStop/{userId}/{seconds}':
      return { params: { userId: therapist.id, seconds: 600 }, body: { tab: crypto.randomUUID() } };
    case 'POST /api/sendFourHourWarningMail':
      return { body: { id: therapist.id } };
    case 'POST /api/sendFeedbackEmail/':
      return { body: { email: 'writer@mail.example', username: 'A', text: 'T' } };
    case 'POST /logger_api/logger/log/save':
      return { body: { loggerEntries: [{ date: '2026-11-24T08:00:00Z', level: 'Error', message: 'M' }] } };
    case 'GET /logger_api/logger/logs/{date}/{therapistId}/{fileName}':
    case 'GET /api/admin/logs/{date}':
    case 'GET /api/admin/logs/{date}/{therapistId}':
      return { params: { date: '2026-11-24', therapistId: therapist.id, fileName: 'own.log' } };
    case 'POST /api/support/contact':
      return { body: { email: 'asker@mail.example', message: 'M' } };
    default:
      return {};
  }
}

/** A call as it is sent, with any input. */
function make(
  { method, path }: Pick<Endpoint, 'path'> & { method: string },
  { params = {}, query = {}, body, form = false, fields = {} }: Input,
  { token, headers = {}, raw }: { token?: string | null; headers?: Record<string, string>; raw?: string } = {},
): Promise<Response> {
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '1')));
  const search = new URLSearchParams(query).toString();
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  if (form && text === undefined && method !== 'GET' && method !== 'HEAD') {
    const file = new FormData();
    for (const [field, text] of Object.entries(fields)) file.set(field, text);
    file.set('file', new Blob(['no picture']), 'picture.png');
    return t.fetch(at + (search ? `?${search}` : ''), {
      method,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      body: file,
    });
  }
  return t.fetch(at + (search ? `?${search}` : ''), {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
}

/** What was answered: a problem by RFC 9457 without internal details, or what else there was. */
async function answered(response: Response): Promise<ProblemBody & { code: ProblemCode }> {
  const text = await response.text();
  expect(text).not.toMatch(/\bat .*[.:/]\w+:\d+|node_modules|\.ts\b|SELECT |postgres|stack/i);
  expect(response.headers.get('content-type'), `${response.status} ${response.url} ${text.slice(0, 200)}`).toBe(
    'application/problem+json',
  );
  const body = JSON.parse(text) as ProblemBody;
  expect(response.status).toBe(PROBLEMS[body.code].status);
  expect(body.status).toBe(response.status);
  return body;
}

const name = ({ method, path }: Endpoint) => `${method} ${path}`;
const OPEN: readonly Access[] = [
  'anyone',
  'token',
  'profile',
  'anyoneThrottled',
  'published',
  'publishedOrOwn',
  'fromOurPage',
];
const CLOSED = CALLS.filter(({ access }) => !OPEN.includes(access));

/** What each rule of access answers to whom: about ids of our practice, for people who may not ask. */
type Asker = 'foreign therapist' | 'foreign client' | 'waiting' | 'other client';
const REFUSED: {
  readonly [
    A in Exclude<
      Access,
      'anyone' | 'token' | 'profile' | 'anyoneThrottled' | 'published' | 'publishedOrOwn' | 'fromOurPage'
    >
  ]: { readonly [W in Asker]: ProblemCode | 'may' };
} = {
  self: {
    'foreign therapist': 'not_found',
    'foreign client': 'not_found',
    waiting: 'not_found',
    'other client': 'not_found',
  },
  // About the caller alone: what a foreign therapist does here is done to their own room.
  signedIn: {
    'foreign therapist': 'may',
    'foreign client': 'forbidden',
    waiting: 'forbidden',
    'other client': 'forbidden',
  },
  therapist: {
    'foreign therapist': 'may',
    'foreign client': 'forbidden',
    waiting: 'forbidden',
    'other client': 'forbidden',
  },
  admin: {
    'foreign therapist': 'forbidden',
    'foreign client': 'forbidden',
    waiting: 'forbidden',
    'other client': 'forbidden',
  },
  seatHolder: {
    'foreign therapist': 'forbidden',
    'foreign client': 'may',
    waiting: 'may',
    'other client': 'may',
  },
  anySignIn: {
    'foreign therapist': 'may',
    'foreign client': 'may',
    waiting: 'not_admitted',
    'other client': 'may',
  },
  roomOfTherapist: {
    'foreign therapist': 'forbidden',
    'foreign client': 'forbidden',
    waiting: 'not_admitted',
    'other client': 'may',
  },
  roomDesign: {
    'foreign therapist': 'forbidden',
    'foreign client': 'forbidden',
    waiting: 'not_admitted',
    'other client': 'may',
  },
  roomMember: {
    'foreign therapist': 'may',
    'foreign client': 'may',
    waiting: 'not_admitted',
    'other client': 'may',
  },
  clientList: {
    'foreign therapist': 'forbidden',
    'foreign client': 'forbidden',
    waiting: 'not_admitted',
    'other client': 'may',
  },
  therapistOfClient: {
    'foreign therapist': 'not_found',
    'foreign client': 'forbidden',
    waiting: 'forbidden',
    'other client': 'forbidden',
  },
  itsTherapist: {
    'foreign therapist': 'not_found',
    'foreign client': 'forbidden',
    waiting: 'not_admitted',
    'other client': 'forbidden',
  },
  clientOrItsTherapist: {
    'foreign therapist': 'not_found',
    'foreign client': 'forbidden',
    waiting: 'not_admitted',
    'other client': 'forbidden',
  },
  figureMover: {
    'foreign therapist': 'not_found',
    'foreign client': 'not_found',
    waiting: 'not_admitted',
    'other client': 'figure_not_yours',
  },
  roleHolder: {
    'foreign therapist': 'not_found',
    'foreign client': 'not_found',
    waiting: 'not_admitted',
    'other client': 'figure_not_yours',
  },
  iconOwner: {
    'foreign therapist': 'not_found',
    'foreign client': 'forbidden',
    waiting: 'forbidden',
    'other client': 'forbidden',
  },
  ownEvents: {
    'foreign therapist': 'not_found',
    'foreign client': 'forbidden',
    waiting: 'forbidden',
    'other client': 'forbidden',
  },
  ownImages: {
    'foreign therapist': 'may',
    'foreign client': 'forbidden',
    waiting: 'forbidden',
    'other client': 'forbidden',
  },
  ownRows: {
    'foreign therapist': 'may',
    'foreign client': 'forbidden',
    waiting: 'forbidden',
    'other client': 'forbidden',
  },
  ownRowsToAddress: {
    'foreign therapist': 'may',
    'foreign client': 'forbidden',
    waiting: 'forbidden',
    'other client': 'forbidden',
  },
  selfOnce: {
    'foreign therapist': 'not_found',
    'foreign client': 'forbidden',
    waiting: 'forbidden',
    'other client': 'forbidden',
  },
};
/** Calls to which programs send a whole object: what it has beside the named fields counts for nothing. */
const WHOLE_OBJECTS = ['POST /api/sendFourHourWarningMail'];
/** Calls that are refused by something other than their rule of access, when a therapist may make them at all. */
const ABOUT_OTHERS: Record<string, ProblemCode> = {
  'POST /api/participant/toggleIconType': 'not_found',
  'POST /api/participant/saveAll': 'not_found',
  'POST /api/room/remove': 'not_found',
  'POST /api/session/sendEmail': 'not_found',
  'GET /api/me/bills/{billId}/pdf': 'not_found',
  'POST /api/me/notices/{noticeId}/read': 'not_found',
  'GET /api/me/constellations/{constellationId}': 'not_found',
  'POST /api/me/constellations/{constellationId}/rename': 'not_found',
  'DELETE /api/me/constellations/{constellationId}': 'not_found',
};

describe('who may not', () => {
  test.each(CLOSED.map((endpoint) => [name(endpoint), endpoint] as const))('%s', async (_, endpoint) => {
    const input = wanted(endpoint, ours);
    const code = async (token: string | null, headers: Record<string, string> = {}) =>
      (await answered(await make(endpoint, input, { token, headers }))).code;
    expect(await code(null)).toBe('not_signed_in');
    expect(
      await code(null, { 'x-therapist-id': String(ours.therapist.id), cookie: `token=${ours.therapist.token}` }),
    ).toBe('not_signed_in');
    // Where some of the answers need no sign-in, one that ended is as good as none.
    const ended = (why: ProblemCode) => (accessRule(endpoint.access).signIn === 'optional' ? 'not_signed_in' : why);
    expect(await code('x'.repeat(43))).toBe(ended('session_expired'));
    expect(await code('x'.repeat(5000))).toBe(ended('session_expired'));
    expect(await code(signedOut)).toBe(ended('session_expired'));
    expect(await code(sentOut)).toBe(ended('sent_out'));
    expect(await code(declined)).toBe(ended('declined'));
    const rule = REFUSED[endpoint.access as keyof typeof REFUSED];
    const askers: Record<Asker, string> = {
      'foreign therapist': theirs.therapist.token,
      'foreign client': theirs.guest.token,
      waiting: ours.waiting.token,
      'other client': ours.guest.token,
    };
    for (const [asker, token] of Object.entries(askers) as [Asker, string][]) {
      const expected =
        rule[asker] === 'may'
          ? asker === 'foreign therapist'
            ? ABOUT_OTHERS[name(endpoint)]
            : undefined
          : rule[asker];
      // The therapist's id as a header changes nothing for anybody.
      if (expected) expect(await code(token, { 'x-therapist-id': String(ours.therapist.id) }), asker).toBe(expected);
    }
    expect(await everyRow(t.db)).toEqual(before);
  });

  test('a foreign id answers like one that does not exist', async () => {
    const nobody = {
      ...theirs,
      therapist: { ...theirs.therapist, id: 987_654_321 },
      holder: { ...theirs.holder, id: 987_654_322 },
      held: { ...theirs.held, id: 987_654_323 },
      waiting: { ...theirs.waiting, id: 987_654_324 },
      event: { ...theirs.event, id: 987_654_325 },
      billId: 987_654_326,
      constellationId: 987_654_328,
      noticeId: 987_654_327,
    };
    for (const endpoint of CALLS) {
      const [foreign, none] = [wanted(endpoint, theirs), wanted(endpoint, nobody)];
      if (JSON.stringify(foreign) === JSON.stringify(none) || OPEN.includes(endpoint.access)) continue;
      for (const token of [ours.therapist.token, ours.holder.token, ours.waiting.token]) {
        const [one, other] = [await make(endpoint, foreign, { token }), await make(endpoint, none, { token })];
        expect(one.status, name(endpoint)).toBe(other.status);
        // If an answer lists what was asked for, the id comes from the caller.
        const bare = async (answer: Response) => (await answer.text()).replace(/"id":\d+/g, '"id":0');
        expect(await bare(one), name(endpoint)).toBe(await bare(other));
      }
    }
    expect(await everyRow(t.db)).toEqual(before);
  });

  test('an admin is no other therapist’s therapist', async () => {
    for (const endpoint of CLOSED.filter(
      ({ access }) =>
        !['admin', 'signedIn', 'therapist', 'anySignIn', 'roomMember', 'ownImages', 'ownRows'].includes(access),
    )) {
      const { code } = await answered(await make(endpoint, wanted(endpoint, ours), { token: admin.token }));
      expect(['not_found', 'forbidden'], name(endpoint)).toContain(code);
    }
    expect(await everyRow(t.db)).toEqual(before);
  });
});

/** The token of somebody who may make the call, by its rule; null if anybody may. */
function callerOf(endpoint: Endpoint): string | null {
  if (OPEN.includes(endpoint.access)) return null;
  if (endpoint.access === 'admin') return admin.token;
  return endpoint.access === 'seatHolder' ? ours.holder.token : ours.therapist.token;
}

/** Texts that are only compared, or read as something else. Some tries are counted, which is a change of its own. */
const COMPARED = new Set(['token', 'captcha', 'password', 'current', 'image']);
/**
 * Calls that take any text: it is compared and the try is counted, or it is kept and escaped (docs/product.md#12.16).
 */
const TAKE_ANY_TEXT = [
  'POST /api/authentication/login',
  'POST /api/public/verification',
  'POST /logger_api/logger/log/save',
];
const HOSTILE = ['a\0b', 'a\u202Eb', 'a\u001B[2Jb', 'x'.repeat(60_000)];

/** Where the texts of a body are, as paths. */
const textsIn = (value: unknown, at: readonly (string | number)[] = []): (readonly (string | number)[])[] => {
  if (typeof value === 'string') return [at];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...at, index]));
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => textsIn(item, [...at, key]))
    : [];
};

/** A copy with another value at a path. */
function withAt(value: unknown, [first, ...rest]: readonly (string | number)[], to: unknown): unknown {
  if (first === undefined) return to;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[first] = withAt(copy[first], rest, to);
  return copy;
}

describe('what cannot be', () => {
  test.each(CALLS.map((endpoint) => [name(endpoint), endpoint] as const))('%s', async (_, endpoint) => {
    const token = callerOf(endpoint);
    const input = wanted(endpoint, ours);
    const refused = async (changed: Input, options: { raw?: string; headers?: Record<string, string> } = {}) =>
      answered(await make(endpoint, { ...input, ...changed }, { token, ...options }));

    // Unknown and doubled properties of the query.
    expect(await refused({ query: { ...input.query, surprise: '1' } })).toMatchObject({
      code: 'invalid_input',
      fields: [{ path: 'surprise', code: 'unknown_property' }],
    });
    // Ids in the path that are no ids.
    for (const param of endpoint.path.match(/\{(\w+)\}/g)?.map((part) => part.slice(1, -1)) ?? []) {
      // Any text may be a password.
      if (param === 'password') continue;
      // Files may have any name; a name that none of our files has is not found.
      if (param === 'fileName') {
        for (const value of ['../1', '%00', 'abc', '１', ' ', 'none.webp'])
          expect((await refused({ params: { ...input.params, [param]: value } })).code, value).toBe('not_found');
        continue;
      }
      for (const value of param === 'joinLink' || param === 'therapistName'
        ? ['a/../b', '%00', 'A B', 'x'.repeat(1024), '<script>']
        : ['0', '-1', '1.5', 'NaN', '1e3', '0x10', '99999999999999999', 'abc', '../1', '%00', '１', ' 1']) {
        // Id 0 means the defaults of a design.
        if (value === '0' && endpoint.access === 'roomDesign') continue;
        const { code, fields } = await refused({ params: { ...input.params, [param]: value } });
        expect([code, fields?.map(({ path }) => path)], `${param}=${value}`).toEqual(['invalid_input', [param]]);
      }
    }
    if (endpoint.method === 'GET') return expect(await everyRow(t.db)).toEqual(before);

    // No JSON.
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/xml' },
    ] as Record<string, string>[])
      expect((await refused({}, { raw: 'a=1', headers })).code).toBe('not_json');
    for (const raw of ['{', '{"a":NaN}', 'undefined', '{"__proto__":{"id":1}}', '{"constructor":{"prototype":{}}}'])
      expect((await refused({}, { raw })).code, raw).toMatch(/^(?:not_json|bad_request|invalid_input)$/);
    if (input.form) {
      expect((await refused({}, { raw: '{}' })).code).toBe('bad_request');
      return expect(await everyRow(t.db)).toEqual(before);
    }
    expect((await refused({}, { raw: JSON.stringify({ big: 'x'.repeat(2_000_000) }) })).code).toBe('payload_too_large');

    // A body that has more than it may, or nothing.
    if (endpoint.body === null) {
      expect(await refused({ body: { surprise: 1 } })).toMatchObject({
        code: 'invalid_input',
        fields: [{ path: 'surprise', code: 'unknown_property' }],
      });
      return expect(await everyRow(t.db)).toEqual(before);
    }
    const { body } = input;
    if (Array.isArray(body)) {
      expect(await refused({ body: [{ ...(body[0] as object), surprise: 1 }] })).toMatchObject({
        code: 'invalid_input',
        fields: [{ path: '0.surprise', code: 'unknown_property' }],
      });
    } else {
      if (!WHOLE_OBJECTS.includes(name(endpoint))) {
        expect((await refused({ body: { ...(body as object), surprise: 1 } })).fields).toContainEqual({
          path: 'surprise',
          code: 'unknown_property',
        });
        for (const privileged of ['therapistId', 'roles', 'state', 'isAdmin', 'ownerId', 'createdAt'])
          expect((await refused({ body: { ...(body as object), [privileged]: 1 } })).code).toBe('invalid_input');
      }
      // Each property in turn, with each type that it does not accept.
      const schema = endpoint.body as z.ZodMiniType;
      for (const key of Object.keys(body as object))
        for (const value of [null, 'text', '', 12.5, -1, true, [null], { $gt: 0 }]) {
          const wrong = { ...(body as object), [key]: value };
          if (schema.safeParse(wrong).success) continue;
          const { code, fields } = await refused({ body: wrong });
          expect([code, fields?.[0]?.path.split('.')[0]], `${key}=${JSON.stringify(value)}`).toEqual([
            'invalid_input',
            key,
          ]);
        }
    }
    // Each text in turn, with characters that hide or turn the text around them, and longer than any text may be.
    for (const path of TAKE_ANY_TEXT.includes(name(endpoint)) ? [] : textsIn(body)) {
      if (COMPARED.has(String(path.at(-1)))) continue;
      for (const text of HOSTILE) {
        const { code, fields } = await refused({ body: withAt(body, path, text) });
        const at = path.join('.');
        expect([code, fields?.some((field) => field.path.startsWith(at))], `${at}=${text.slice(0, 9)}`).toEqual([
          'invalid_input',
          true,
        ]);
      }
    }
    for (const whole of [null, 'text', 12, true])
      if (!(endpoint.body as z.ZodMiniType).safeParse(whole).success)
        expect((await refused({ body: whole })).code).toBe('invalid_input');
    expect(await everyRow(t.db)).toEqual(before);
  });
});

describe('methods that are not offered', () => {
  test.each(CALLS.map((endpoint) => [name(endpoint), endpoint] as const))(
    '%s by HEAD, OPTIONS and the others runs nothing',
    async (_, endpoint) => {
      const offered = new Set(CALLS.filter(({ path }) => path === endpoint.path).map(({ method }) => method as string));
      for (const method of ['HEAD', 'OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        if (offered.has(method)) continue;
        const input = wanted(endpoint, ours);
        const response = await make(
          { path: endpoint.path, method },
          method === 'HEAD' || method === 'GET' ? { ...input, body: undefined } : input,
          { token: callerOf(endpoint) },
        );
        expect(response.status, method).toBe(405);
        expect(response.headers.get('allow')).toBe([...offered].join(', '));
        expect(response.headers.get('access-control-allow-origin')).toBe(null);
        await response.arrayBuffer();
      }
      expect(await everyRow(t.db)).toEqual(before);
    },
  );
});
