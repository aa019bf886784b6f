/** The messages of a room: the panel while it is open, and announcements for screen readers in any case. */
import { useLazyPart } from '../../ui/lazy/lazyPart.ts';
import { messagesPanel } from './lazyPanel.ts';
import { MessagesNews } from './MessagesNews.tsx';
import type { MessagesPanelProps } from './panel/MessagesPanel.tsx';
import { useMessagesPart, useMessagesStore } from './useMessages.ts';

/** Replaces the list of people while the messages are open. The panel is fetched when it is first opened. */
export function Messages(props: MessagesPanelProps) {
  const store = useMessagesStore();
  const open = useMessagesPart((model) => model.open);
  const panel = useLazyPart(messagesPanel, open, () => store.setOpen(false));
  return (
    <>
      {open && panel && <panel.MessagesPanel {...props} />}
      <MessagesNews />
    </>
  );
}
