/** The look back among the details of a past live session, fetched when it is needed. */
import { Skeleton } from '@mantine/core';
import { loadWords } from '../../../platform/i18n/app.ts';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { SessionLookBackProps } from './SessionLookBack.tsx';

// Code and words together: without its words it would hide the whole page until they are loaded.
const sessionLookBack = lazyPart(
  async () => (await Promise.all([import('./SessionLookBack.tsx'), loadWords(['moments'])]))[0],
);

/** Takes its props; `onFailed` is called if it could not be fetched. */
export function LazySessionLookBack({ onFailed, ...props }: SessionLookBackProps & { onFailed(): void }) {
  const part = useLazyPart(sessionLookBack, true, onFailed);
  return part ? <part.SessionLookBack {...props} /> : <Skeleton height={340} radius={16} />;
}
