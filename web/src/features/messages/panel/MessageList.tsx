/** The messages so far, the newest at the bottom, then the pending ones. */
import type { Message } from '@fieldroom/contract/messages';
import { IconArrowDown, IconCornerDownLeft, IconLock } from '@tabler/icons-react';
import { memo, type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { dateFormat } from '../../../platform/i18n/formats.ts';
import { type Unsent, unreadCount } from '../messagesModel.ts';
import { useMessagesPart, useMessagesStore } from '../useMessages.ts';
import type { WritingPerson } from './MessageInput.tsx';
import styles from './MessagesPanel.module.css';

/** Within this distance of the end, in px, somebody is reading the newest. */
const NEAR_END = 40;

interface MessageListProps extends Pick<WritingPerson, 'as' | 'therapist' | 'people'> {
  onReply(to: number, toName: string): void;
}

/**
 * Stays at its end until somebody scrolls up, and reports to the store which messages are in view
 * (docs/product.md#6.9). `onReply` is for messages to this person only.
 */
export function MessageList({ as, therapist, people, onReply }: MessageListProps) {
  const { t } = useTranslation('messages');
  const language = currentLanguage();
  const messages = useMessagesPart((model) => model.messages);
  const unsent = useMessagesPart((model) => model.unsent);
  const joined = useMessagesPart((model) => model.joined);
  const me = useMessagesPart((model) => model.me);
  const end = useStayAtEnd(messages, unsent);
  const time = useMemo(() => {
    const format = dateFormat(language, { hour: '2-digit', minute: '2-digit' });
    return (sentOn: string) => format.format(new Date(sentOn));
  }, [language]);
  const reply = useRef(onReply);
  useEffect(() => {
    reply.current = onReply;
  });
  const onReplyTo = useCallback((message: Message) => reply.current(message.from, message.fromName), []);
  const isHere = (id: number) => id === therapist.id || people.some((person) => person.id === id);

  if (messages.length === 0 && unsent.length === 0)
    return (
      <div className={styles.list}>
        <div className={styles.empty}>
          <strong>{t('empty.title')}</strong>
          <p>{t(`empty.${as}`, { name: therapist.name })}</p>
          <p>{t('empty.erased')}</p>
        </div>
      </div>
    );
  return (
    <div className={styles.listFrame}>
      <div
        ref={end.box}
        className={styles.list}
        role="group"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys
        tabIndex={0}
        aria-label={t('list')}
        onScroll={end.onScroll}
      >
        <ol>
          {messages.map((message) => (
            <MessageRow
              key={message.id}
              message={message}
              own={message.from === me}
              time={time(message.sentOn)}
              onReply={message.from !== me && message.to !== 'all' && isHere(message.from) ? onReplyTo : null}
            />
          ))}
          {unsent.map((entry) => (
            <UnsentRow key={entry.actId} entry={entry} joined={joined} />
          ))}
        </ol>
      </div>
      <NewMessages onShow={end.show} />
    </div>
  );
}

/** Shown while somebody has scrolled up and a new message has arrived. */
function NewMessages({ onShow }: { onShow(): void }) {
  const { t } = useTranslation('messages');
  const count = useMessagesPart((model) => (model.inSight ? 0 : unreadCount(model)));
  return (
    count > 0 && (
      <button type="button" className={styles.newMessages} onClick={onShow}>
        <IconArrowDown size={18} stroke={1.75} aria-hidden />
        {t('new', { count })}
      </button>
    )
  );
}

interface MessageRowProps {
  message: Message;
  own: boolean;
  time: string;
  /** null if there is nobody to reply to privately. */
  onReply: ((message: Message) => void) | null;
}

const MessageRow = memo(function MessageRow({ message, own, time, onReply }: MessageRowProps) {
  const { t } = useTranslation('messages');
  const { fromName, to, toName, text, sentOn } = message;
  const alone = to === 'all' ? null : own ? t('toOne', { name: toName ?? '' }) : t('toYou');
  return (
    <li className={styles.message} data-own={own || undefined} data-private={alone !== null || undefined}>
      <MessageHead name={own ? t('you') : fromName} alone={alone}>
        <time dateTime={sentOn}>{time}</time>
      </MessageHead>
      <p dir="auto">{text}</p>
      {onReply && (
        <button
          type="button"
          className={styles.reply}
          aria-label={t('replyTo', { name: fromName })}
          onClick={() => onReply(message)}
        >
          <IconCornerDownLeft size={16} stroke={1.75} aria-hidden />
          {t('reply')}
        </button>
      )}
    </li>
  );
});

function UnsentRow({ entry: { to, toName, text, refused }, joined }: { entry: Unsent; joined: boolean }) {
  const { t } = useTranslation('messages');
  const alone = to === 'all' ? null : t('toOne', { name: toName ?? '' });
  const state = refused ? 'notSent' : joined ? 'sending' : 'waiting';
  return (
    <li className={styles.message} data-own data-unsent data-private={alone !== null || undefined}>
      <MessageHead name={t('you')} alone={alone}>
        <em>{t(state)}</em>
      </MessageHead>
      <p dir="auto">{text}</p>
    </li>
  );
}

function MessageHead({ name, alone, children }: { name: string; alone: string | null; children: ReactNode }) {
  return (
    <div className={styles.messageHead}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      {alone !== null && (
        <span>
          <IconLock size={14} stroke={2} aria-hidden />
          {alone}
        </span>
      )}
      {children}
    </div>
  );
}

/** Keeps the newest message in view until somebody scrolls up, and reports to the store whether it is. */
function useStayAtEnd(messages: readonly Message[], unsent: readonly Unsent[]) {
  const store = useMessagesStore();
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const newest = unsent.at(-1)?.actId;
  const isEmpty = messages.length + unsent.length === 0;

  const tell = useCallback(() => store.look(atEnd.current && document.visibilityState !== 'hidden'), [store]);
  const toEnd = useCallback(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);
  const show = useCallback(() => {
    atEnd.current = true;
    toEnd();
    tell();
  }, [tell, toEnd]);
  const onScroll = useCallback(() => {
    if (!box.current) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
    tell();
  }, [tell]);

  // People who send something want to see it.
  useLayoutEffect(() => {
    if (newest !== undefined) show();
  }, [newest, show]);
  useLayoutEffect(toEnd, [messages, unsent, toEnd]);
  // A phone's keyboard makes the list lower.
  useEffect(() => {
    if (!box.current || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(toEnd);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [isEmpty, toEnd]);
  useEffect(() => {
    tell();
    document.addEventListener('visibilitychange', tell);
    return () => {
      document.removeEventListener('visibilitychange', tell);
      store.look(false);
    };
  }, [store, tell]);
  return { box, onScroll, show };
}
