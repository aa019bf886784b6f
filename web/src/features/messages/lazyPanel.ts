/** The panel's code, fetched when it is wanted; for `useWarmUp`, too. */
import { lazyPart } from '../../ui/lazy/lazyPart.ts';

export const messagesPanel = lazyPart(() => import('./panel/MessagesPanel.tsx'));
