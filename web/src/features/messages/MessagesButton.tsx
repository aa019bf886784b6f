/** Opens and closes the messages, and counts the unread ones. Gets the focus back when they close. */
import { IconMessage } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './messages.module.css';
import { hasRefused, unreadCount } from './messagesModel.ts';
import { useMessagesPart, useMessagesStore } from './useMessages.ts';

/** In the top bar of both rooms. "!" means that a message of this person was refused and waits in the input. */
export function MessagesButton() {
  const { t } = useTranslation('messages');
  const store = useMessagesStore();
  const open = useMessagesPart((model) => model.open);
  const count = useMessagesPart(unreadCount);
  const refused = useMessagesPart(hasRefused) && !open;
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The focus was in the panel, which is gone.
    const focusLost = document.activeElement === null || document.activeElement === document.body;
    if (wasOpen.current && !open && focusLost) button.current?.focus();
    wasOpen.current = open;
  }, [open]);
  const label = refused ? t('buttonRefused') : count > 0 ? t('buttonNew', { count }) : t('heading');
  return (
    <button
      ref={button}
      type="button"
      className={styles.button}
      aria-expanded={open}
      aria-label={label}
      title={label}
      onClick={() => store.setOpen(!open)}
    >
      <IconMessage size={20} stroke={1.75} aria-hidden />
      <span className={styles.word}>{t('heading')}</span>
      {(refused || count > 0) && (
        <span className={styles.unread} data-refused={refused || undefined}>
          {refused ? '!' : count > 99 ? '99+' : count}
        </span>
      )}
    </button>
  );
}
