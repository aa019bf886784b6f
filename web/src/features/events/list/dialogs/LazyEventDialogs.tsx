/** The dialogs of an event: fetched with their words when one is needed, or earlier by `useWarmUp`. */
import { useMounted } from '@mantine/hooks';
import { createElement, Suspense } from 'react';
import { lazyPart, useLazyPart } from '../../../../ui/lazy/lazyPart.ts';
import type { EventDialogs, EventDialogsProps } from './EventDialogs.tsx';

/** The code of the dialogs, for `useWarmUp`. */
export const eventDialogs = lazyPart(() => import('./EventDialogs.tsx').then((module) => module.EventDialogs));

/** `EventDialogs`, fetched with its first opening. */
export function LazyEventDialogs(props: EventDialogsProps) {
  const dialogs = useLazyPart(eventDialogs, props.open !== null, props.onClose);
  return (
    dialogs && (
      <Suspense fallback={null}>
        <OpenOnceMounted dialogs={dialogs} props={props} />
      </Suspense>
    )
  );
}

/** Mounts the dialogs closed: each remembers the focus at the moment of its opening. */
function OpenOnceMounted({ dialogs, props }: { dialogs: typeof EventDialogs; props: EventDialogsProps }) {
  const mounted = useMounted();
  return createElement(dialogs, { ...props, open: mounted ? props.open : null });
}
