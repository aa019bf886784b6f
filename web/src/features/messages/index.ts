/** Messages in the room: what its parts and pages need. */
export { createMessagesStore, type MessagesStore } from './messagesStore.ts';
export { Messages } from './Messages.tsx';
export { MessagesButton } from './MessagesButton.tsx';
export { messagesPanel } from './lazyPanel.ts';
export { MessagesContext, useMessagesPart, useMessagesStore } from './useMessages.ts';
