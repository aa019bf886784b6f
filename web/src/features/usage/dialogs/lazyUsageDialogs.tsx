/** The dialogs about usage, fetched when one is needed. */
import { lazyPart, OpenAfterMount, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { UsageDialogProps } from './UsageDialogs.tsx';

/** The dialogs' code, for `useWarmUp`. */
export const usageDialogs = lazyPart(() => import('./UsageDialogs.tsx'));

/** For dialogs that the server opened: one that could not be fetched stays due, and opens once it is loaded. */
export const staysDue = (): void => undefined;

/** One dialog by its name. `onFailed` is called if it could not be fetched; by default it is closed then. */
export function LazyUsageDialog({
  onFailed,
  ...props
}: UsageDialogProps & {
  onFailed?: () => void;
}) {
  const dialogs = useLazyPart(usageDialogs, props.opened, onFailed ?? props.onClose);
  return dialogs && <OpenAfterMount dialog={dialogs.UsageDialog} given={props} />;
}
