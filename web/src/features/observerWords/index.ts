/** Observers' words: what the room's parts and pages need. */
export { createObserverWordsStore, type ObserverWordsStore } from './observerWordsStore.ts';
export { ObserverWords } from './ObserverWords.tsx';
export { LazyInvitationSwitch } from './LazyInvitationSwitch.tsx';
export { ObserverWordsContext, useWordOf } from './useObserverWords.ts';
