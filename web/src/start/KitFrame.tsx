/** The frame of every page with the UI kit: its look, and the handling of an ended sign-in. */
import { MantineProvider } from '@mantine/core';
import { type ReactNode, Suspense, useEffect } from 'react';
import { api } from '../platform/api/index.ts';
import { forgetPerson, joinPath, storage } from '../platform/storage.ts';
import { LoadingView } from '../ui/states/LoadingView.tsx';
import { appearanceManager, theme } from '../ui/theme/theme.ts';

const manager = appearanceManager();

interface KitFrameProps {
  /** Shows a therapist the sign-in, which leads back to this path, query and fragment. A stable function. */
  toSignIn(returnUrl: string): void;
  children: ReactNode;
}

/**
 * Gives its children the UI kit's theme, and shows a loading view until they are loaded. When the server no longer
 * accepts the sign-in, it forgets the person and leads a client to their join page and a therapist to the sign-in
 * (docs/product.md#3.12). Pages outside `/app` show such a refusal in their own form.
 */
export function KitFrame({ toSignIn, children }: KitFrameProps) {
  useEffect(
    () =>
      api.onSignedOut(() => {
        const wasClient = storage.get('client');
        const { pathname, search, hash } = window.location;
        // On the sign-in pages a refusal belongs to the form.
        if (!pathname.startsWith('/app')) return;
        forgetPerson(storage);
        if (wasClient) window.location.assign(joinPath(wasClient));
        else toSignIn(pathname + search + hash);
      }),
    [toSignIn],
  );
  return (
    <MantineProvider theme={theme} colorSchemeManager={manager} withCssVariables={false} withGlobalClasses={false}>
      <Suspense fallback={<LoadingView />}>{children}</Suspense>
    </MantineProvider>
  );
}
