/** The app: its pages by the router. */
import { isClient } from '@fieldroom/contract/accounts';
import { CLIENT_ROOM, DASHBOARD_PAGE, SIGN_IN_PAGE, THERAPIST_ROOM } from '@fieldroom/contract/pages';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { KitFrame } from './KitFrame.tsx';
import { onPersonReplaced } from './otherTabs.ts';
import { router } from '../routes.tsx';

const toSignIn = (returnUrl: string) =>
  void router.navigate({ to: SIGN_IN_PAGE, search: { returnUrl, ended: true }, ignoreBlocker: true });

/**
 * Removes a person's pages from the screen when another tab signs them out or signs somebody else in. No return address
 * is kept: a search in it may contain a name. Rooms end by themselves, with their connection.
 */
function leaveWithPerson(): () => void {
  return onPersonReplaced(async (now) => {
    const { pathname } = window.location;
    if (!pathname.startsWith('/app') || pathname === THERAPIST_ROOM || pathname === CLIENT_ROOM) return;
    await router.navigate({ to: SIGN_IN_PAGE, replace: true, ignoreBlocker: true });
    if (now !== null && !isClient(now)) window.location.replace(DASHBOARD_PAGE);
  });
}

/** Root component of the app's document. `startApp` draws it. */
export function App() {
  useEffect(leaveWithPerson, []);
  return (
    <KitFrame toSignIn={toSignIn}>
      <RouterProvider router={router} />
    </KitFrame>
  );
}
