/** The panel's code, fetched when it is needed. */
import { lazyPart } from '../../ui/lazy/lazyPart.ts';

/** Used by `Messages`, and by `useWarmUp` to fetch it ahead. */
export const messagesPanel = lazyPart(() => import('./panel/MessagesPanel.tsx'));
