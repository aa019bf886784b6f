/** The profile in tests: a page on a simulated network that answers as the server does. */
import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { vi } from 'vitest';
import { createQueryClient } from '../../platform/fetching/queryClient.ts';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { stubUploads } from '../../platform/fetching/sendFile.testing.ts';
import { theme } from '../../ui/theme/theme.ts';
import { ProfilePage } from './ProfilePage.tsx';
import type { Device, Profile } from './profileQueries.ts';

export const ANNA: Profile = {
  id: 7,
  firstName: 'Anna',
  lastName: 'Lind',
  gender: null,
  language: 'en',
  timeZone: 'Europe/Vienna',
  picture: null,
  slug: 'a7',
  proposedSlug: 'anna-lind',
  line: '',
  about: '',
  email: 'anna@practice.example',
  pendingEmail: null,
  joinLink: 'secret-link',
  deletesOn: null,
};
const DEVICE: Device = {
  id: '00000000-0000-4000-8000-000000000001',
  browser: 'Firefox',
  system: 'Windows',
  current: true,
  signedInAt: '2026-11-20T10:00:00.000Z',
  lastUsedAt: '2026-11-24T10:00:00.000Z',
};
export const DEVICES: Device[] = [
  DEVICE,
  { ...DEVICE, id: '00000000-0000-4000-8000-000000000002', browser: 'Safari', system: 'iPhone', current: false },
  { ...DEVICE, id: '00000000-0000-4000-8000-000000000003', browser: null, system: null, current: false },
];

/** A refusal with this problem code. */
export const refusal = (code: string, status = 409) => Response.json({ code, status }, { status });

/** The server's answer to a call such as `POST /api/me/email`: JSON, nothing, or a whole response. */
export type Answers = Record<string, (body: unknown) => unknown>;

export interface Opened {
  /** The calls that change something, with their bodies. */
  asked: (string | [string, unknown])[];
  answers: Answers;
}

/** Opens the page as a therapist, or as an operator without a practice. */
export function openProfile(
  answers: Answers = {},
  role: 'ROLE_THERAPIST' | 'ROLE_ADMIN' = 'ROLE_THERAPIST',
  queries: QueryClient = createQueryClient(),
): Opened {
  const { id, firstName, lastName, email, language, slug, joinLink } = ANNA;
  const user = { id, firstName, lastName, email, language, slug, joinLink, roles: [role], authorities: [role] };
  keepSignIn(storage, { token: 't', user });
  const asked: Opened['asked'] = [];
  const known: Answers = {
    'GET /api/me/profile': () => ANNA,
    'GET /api/me/devices': () => DEVICES,
    'GET /api/room/state': () => ({ code: null }),
    'GET /api/getCurrentUserData/': () => user,
    ...answers,
  };
  stubUploads();
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const call = `${init.method} ${address}`;
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    if (init.method !== 'GET') asked.push(typeof init.body === 'string' ? [call, body] : call);
    const answer = await known[call]?.(body);
    if (answer instanceof Response) return answer;
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
  });
  const router = createRouter({
    routeTree: createRootRoute({ component: ProfilePage }),
    history: createMemoryHistory(),
  });
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { asked, answers: known };
}
