/** The app: its pages by the router. */
import { RouterProvider } from '@tanstack/react-router';
import { KitFrame } from './KitFrame.tsx';
import { router } from './routes.tsx';

const toSignIn = (returnUrl: string) =>
  void router.navigate({ to: '/user/login', search: { returnUrl, ended: true }, ignoreBlocker: true });

export function App() {
  return (
    <KitFrame toSignIn={toSignIn}>
      <RouterProvider router={router} />
    </KitFrame>
  );
}
