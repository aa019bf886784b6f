/** Observers' words: the parts for the room and its pages. */
export { createObserverWordsStore, type ObserverWordsStore } from './observerWordsStore.ts';
export { ObserverWords } from './ObserverWords.tsx';
export { LazyInvitationSwitch } from './LazyInvitationSwitch.tsx';
export { ObserverWordsContext, useWordOf } from './useObserverWords.ts';
