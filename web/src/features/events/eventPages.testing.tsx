/**
 * Shared by the tests of My events and its dialogs: a simulated server at the network's edge, an event, and the page to
 * draw in.
 */
import type { Booking } from '@fieldroom/contract/bookings';
import type { EventFilter, OwnEvent } from '@fieldroom/contract/events';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { createQueryClient } from '../../platform/fetching/queryClient.ts';
import { theme } from '../../ui/theme/theme.ts';

/** The product's clock when a test begins. */
const NOW = '2026-12-01T09:00:00Z';

/** The therapist who is signed in. */
export const therapist = {
  id: 7,
  firstName: 'Anna',
  lastName: 'B',
  email: 'a@b.example',
  roles: ['ROLE_THERAPIST' as const],
  authorities: ['ROLE_THERAPIST' as const],
  language: 'en' as const,
  slug: 'anna',
  joinLink: 'anna-room',
};

/** A group event on site, with one place held and one confirmed, unless said otherwise. */
export const anOwnEvent = (change: Partial<OwnEvent> = {}): OwnEvent => ({
  id: 31,
  seriesId: 30,
  therapistId: 7,
  therapistName: 'anna',
  status: 'PUBLISHED',
  eventName: 'Evening circle',
  type: 'GROUP',
  isOnline: false,
  eventLocation: 'Elm Yard',
  address: 'Elm Lane 4',
  description: 'Calm.',
  dates: ['2026-12-17'],
  startTime: '19:00',
  endTime: '21:00',
  timeZone: 'Europe/Vienna',
  startsOn: '2026-12-17T18:00:00Z',
  endsOn: '2026-12-17T20:00:00Z',
  price: '35.00',
  currency: 'EUR',
  maximumParticipant: 12,
  currentParticipantsNumber: 2,
  currentParticipantsInfo: [],
  repetitions: [],
  repetitionRule: null,
  files: [],
  held: 1,
  confirmed: 1,
  deleted: false,
  cancelReason: null,
  ...change,
});
/** A confirmed booking of one place, unless said otherwise. */
export const aBooking = (id: number, change: Partial<Booking> = {}): Booking => ({
  id,
  participant: { name: 'Réka', familyName: 'Szőllősi', email: 'reka+1@mail.example', phone: '+36 (1) 234-567' },
  bookingDate: '2026-11-28T10:00:00Z',
  state: 'CONFIRMED',
  heldUntil: null,
  places: 1,
  addedByTherapist: false,
  emailState: 'sent',
  doubleApproval: false,
  ...change,
});

export type Answer = (body: unknown) => Response | Promise<Response>;
/** An answer with a JSON body. */
export const json =
  (body: unknown): Answer =>
  () =>
    Response.json(body);
/** An answer without a body (204). */
export const nothing: Answer = () => new Response(null, { status: 204 });
/** A refusal with this status and code of a problem. `more` is the rest of its body. */
export const refuse =
  (status: number, code: string, more = {}): Answer =>
  () =>
    Response.json({ code, status, ...more }, { status });
/** A page of events, as the server answers; it contains all of them. */
export const listOf = (...content: OwnEvent[]) => ({ content, page: 0, size: 20, totalElements: content.length });
/** An event with the occurrences of its series, as the server answers. */
export const oneOf = (
  event: OwnEvent,
  series: { id: number; dates: string[]; startsOn: string; endsOn: string; held: number; confirmed: number }[] = [],
) => ({
  event,
  // Everybody has one place here.
  series: series.map((one) => ({ ...one, people: one.held + one.confirmed })),
  versions: { this: 'v', later: 'w' },
});

/** Answers by method and path. Keeps the requests that change something, and those for lists. */
export function network(answers: Record<string, Answer>) {
  const all: Record<string, Answer> = {
    'GET /api/public/config': json({
      clock: { anchorReal: NOW, anchorProduct: NOW, speed: 1, serverNow: NOW },
      demo: null,
    }),
    ...answers,
  };
  const sent: { name: string; body: unknown }[] = [];
  const lists: (EventFilter & { list: string })[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const [path] = address.split('?');
    const name = `${init.method} ${path}`;
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    if (name === 'POST /api/me/events') lists.push(body as EventFilter & { list: string });
    else if (init.method !== 'GET') sent.push({ name, body });
    const answer = all[name];
    if (!answer) throw new TypeError(`no connection for ${name}`);
    return answer(body);
  });
  return { all, sent, lists };
}

/** Draws within the product's theme, on a page of its own among those that are linked. `queries` keeps the answers. */
export function draw(what: ReactNode, queries = createQueryClient()) {
  const root = createRootRoute();
  const here = createRoute({ getParentRoute: () => root, path: '/', component: () => what });
  const program = createRoute({ getParentRoute: () => root, path: 'app/program' });
  const router = createRouter({
    routeTree: root.addChildren([here, program]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  return render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}
