/** The dialogs about usage, fetched when one is wanted. */
import { lazyPart, OpenAfterMount, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { UsageDialogProps } from './UsageDialogs.tsx';

const usageDialogs = lazyPart(() => import('./UsageDialogs.tsx'));

/** One dialog by its name. */
export function LazyUsageDialog(props: UsageDialogProps) {
  const dialogs = useLazyPart(usageDialogs, props.opened, props.onClose);
  return dialogs && <OpenAfterMount dialog={dialogs.UsageDialog} given={props} />;
}
