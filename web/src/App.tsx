/** The app around the pages: look, words, routes, and what happens when the sign-in ends. */
import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { api } from './platform/api/index.ts';
import { joinPath, forgetPerson, storage } from './platform/storage.ts';
import { router } from './routes.tsx';
import { LoadingView } from './ui/LoadingView.tsx';
import { appearanceManager, theme } from './ui/theme/theme.ts';

const manager = appearanceManager();

export function App() {
  useEffect(
    () =>
      api.onSignedOut(() => {
        const wasClient = storage.get('client');
        const { pathname, search } = window.location;
        // On the pages of sign-in a refusal belongs to the form.
        if (!pathname.startsWith('/app')) return;
        forgetPerson(storage);
        if (wasClient) window.location.assign(joinPath(wasClient));
        else
          void router.navigate({
            to: '/user/login',
            search: { returnUrl: pathname + search, ended: true },
            ignoreBlocker: true,
          });
      }),
    [],
  );
  return (
    <MantineProvider theme={theme} colorSchemeManager={manager} withCssVariables={false} withGlobalClasses={false}>
      <Suspense fallback={<LoadingView />}>
        <RouterProvider router={router} />
      </Suspense>
    </MantineProvider>
  );
}
