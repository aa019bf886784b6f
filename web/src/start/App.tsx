/** The app: its pages by the router. */
import { SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import { RouterProvider } from '@tanstack/react-router';
import { KitFrame } from './KitFrame.tsx';
import { router } from '../routes.tsx';

const toSignIn = (returnUrl: string) =>
  void router.navigate({ to: SIGN_IN_PAGE, search: { returnUrl, ended: true }, ignoreBlocker: true });

/** Root component of the app's document. `startApp` draws it. */
export function App() {
  return (
    <KitFrame toSignIn={toSignIn}>
      <RouterProvider router={router} />
    </KitFrame>
  );
}
