/** What the tests of the public pages share: an event, a booking, and the network's edge. */
import type { BookingView, HoldView } from '@fieldroom/contract/bookings';
import type { Event, PublicHost } from '@fieldroom/contract/events';
import { vi } from 'vitest';
import type { EventData } from '../pageFromPath.ts';

export const HANDLE = 'h'.repeat(43);
export const TOKEN = 't'.repeat(43);
export const PRIVATE = 'p'.repeat(43);
/** The product's time; `network({ now })` changes it. */
export const NOW = '2026-11-21T12:00:00.000Z';

export const host: PublicHost = {
  id: 7,
  therapistName: 'anna',
  firstName: 'Anna',
  lastName: 'Lind',
  picture: null,
  line: '',
  about: '',
};
export const event: Event = {
  id: 31,
  seriesId: 31,
  therapistId: 7,
  therapistName: 'anna',
  status: 'PUBLISHED',
  eventName: 'Finding your place',
  type: 'GROUP',
  isOnline: true,
  eventLocation: '',
  address: '',
  description: 'A slow Saturday.',
  dates: ['2026-12-12'],
  startTime: '09:30',
  endTime: '17:00',
  timeZone: 'Europe/Vienna',
  startsOn: '2026-12-12T08:30:00.000Z',
  endsOn: '2026-12-12T16:00:00.000Z',
  price: '120.00',
  currency: 'EUR',
  maximumParticipant: 8,
  currentParticipantsNumber: 5,
  currentParticipantsInfo: [],
  repetitions: [],
  repetitionRule: null,
  files: [],
};
/** The data of an event's page: `event` can be booked, unless said otherwise. */
export const data = (change: Partial<EventData> = {}): EventData => ({
  kind: 'event',
  host,
  event,
  others: [],
  placesAtOnce: 3,
  bookable: 'yes',
  ...change,
});
export const hold = { heldUntil: '2026-11-21T12:10:00.000Z', handle: HANDLE, extendable: true };
/** A booking of `event` that is held, as the pages behind email links get it. */
export const view = (change: Partial<BookingView> = {}): BookingView => ({
  state: 'HELD',
  heldUntil: hold.heldUntil,
  places: 1,
  firstName: 'Hanna',
  lastName: 'Krüger',
  email: 'hanna@mail.example',
  asOf: NOW,
  movedOn: null,
  roomOpen: null,
  event: {
    id: 31,
    therapistName: 'anna',
    therapistFirstName: 'Anna',
    therapistLastName: 'Lind',
    eventName: event.eventName,
    status: 'PUBLISHED',
    isOnline: true,
    eventLocation: '',
    address: '',
    dates: event.dates,
    startTime: event.startTime,
    endTime: event.endTime,
    timeZone: event.timeZone,
    startsOn: event.startsOn,
    endsOn: event.endsOn,
    price: event.price,
    currency: 'EUR',
    files: [],
  },
  ...change,
});

/** The same hold, as the page receives it that made the booking. */
export const heldView = (change: Partial<HoldView> = {}): HoldView => ({
  state: 'HELD',
  heldUntil: hold.heldUntil,
  event: view().event,
  asOf: NOW,
  ...change,
});

/** Answers with a JSON body. */
export const json = (body: unknown) => () => Response.json(body);
/** Answers without a body (204). */
export const done = () => new Response(null, { status: 204 });
/** Answers with a refusal. Takes the status, the code of the problem, and the rest of its body. */
export const refuse =
  (status: number, code: string, more = {}) =>
  () =>
    Response.json({ code, status, ...more }, { status });

export interface Asked {
  call: string;
  headers: Record<string, string>;
  body: unknown;
}
/** Answers by method and path; anything else fails as without a connection. The clock answers by itself. */
export function network(answers: Record<string, () => Response | Promise<Response>>, { now = NOW } = {}) {
  const asked: Asked[] = [];
  const clock = { anchorReal: NOW, anchorProduct: now, speed: 1, serverNow: NOW };
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const call = `${init.method} ${address}`;
    if (call === 'GET /api/public/config') return Response.json({ clock, demo: null });
    asked.push({
      call,
      headers: init.headers as Record<string, string>,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    });
    const answer = answers[call] ?? answers[call.replace(/\?.*/, '')];
    if (!answer) throw new TypeError(`no line for ${call}`);
    return answer();
  });
  return { asked, calls: () => asked.map(({ call }) => call) };
}

/** What the server writes into the document. */
export function writePageData(content: unknown): void {
  const script = document.createElement('script');
  script.type = 'application/json';
  script.id = 'page-data';
  script.textContent = JSON.stringify(content);
  document.body.append(script);
}
