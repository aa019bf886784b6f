/**
 * Starts the room without the app, in its own document or in that of the waiting room. The app's router is a seventh of
 * the room's scripts and would only draw this one page (docs/decisions/0022-the-room-needs-no-router.md).
 */
import { CLIENT_ROOM, SIGN_IN_PAGE, THERAPIST_ROOM } from '@fieldroom/contract/pages';
import { lazy } from 'react';
import { PageFault } from '../features/shell/errors/PageFault.tsx';
import { CLIENTS, guardRoute, THERAPISTS } from '../guards.ts';
import { KitFrame } from './KitFrame.tsx';
import { PART_TEXTS } from '../partTexts.ts';
import { storage } from '../platform/storage.ts';
import { drawPage, noteFaults } from './startPage.tsx';
import { ErrorBoundary } from '../ui/states/ErrorBoundary.tsx';

const loadTherapistRoom = () => import('../features/room/therapist/TherapistRoomPage.tsx');
const loadClientRoom = () => import('../features/room/client/ClientRoomPage.tsx');
const ROOMS = {
  [THERAPIST_ROOM]: { rule: THERAPISTS, load: loadTherapistRoom, Page: lazy(loadTherapistRoom) },
  [CLIENT_ROOM]: { rule: CLIENTS, load: loadClientRoom, Page: lazy(loadClientRoom) },
};

/** The sign-in in the app's document, where `routes.tsx` reads the query. */
const signInPath = (query: { returnUrl: string; ended?: 'true' }) => `${SIGN_IN_PAGE}?${new URLSearchParams(query)}`;
const toSignIn = (returnUrl: string) => window.location.assign(signInPath({ returnUrl, ended: 'true' }));

/** Draws the room of the present address, or redirects as its guard decides. Takes the element for it. */
export async function startRoom(element: HTMLElement): Promise<void> {
  const { pathname, search } = window.location;
  const { rule, load, Page } = ROOMS[pathname.replace(/\/$/, '') === CLIENT_ROOM ? CLIENT_ROOM : THERAPIST_ROOM];
  const verdict = guardRoute(rule, pathname + search, storage.get('user'));
  if (verdict.kind !== 'allow') {
    window.location.replace(verdict.kind === 'go' ? verdict.to : signInPath({ returnUrl: verdict.returnUrl }));
    return;
  }
  // While the texts load. A failure is reported when it is drawn.
  load().catch(() => undefined);
  const noteFault = noteFaults(() => pathname);
  await drawPage(
    element,
    <KitFrame toSignIn={toSignIn}>
      <ErrorBoundary fallback={(error) => <PageFault error={error} />} onError={noteFault}>
        <Page />
      </ErrorBoundary>
    </KitFrame>,
    PART_TEXTS.room,
  );
}
