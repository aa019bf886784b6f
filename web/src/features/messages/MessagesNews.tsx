/** Announces new messages to screen readers, each once, without moving the focus (docs/product.md#6.9). */
import type { Message } from '@fieldroom/contract/messages';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMessagesStore } from './useMessages.ts';

/** A line is removed after this long, so that people who read the page line by line do not reach it again. */
const SAID_MS = 15_000;

/** A hidden live region with each new message and its author, for 15 seconds. */
export function MessagesNews() {
  const { t } = useTranslation('messages');
  const store = useMessagesStore();
  const [said, setSaid] = useState<readonly Message[]>([]);
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const stop = store.onNews((messages) => {
      setSaid((before) => [...before, ...messages]);
      const timer = setTimeout(() => {
        timers.delete(timer);
        setSaid((before) => before.filter((message) => !messages.includes(message)));
      }, SAID_MS);
      timers.add(timer);
    });
    return () => {
      stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [store]);
  return (
    <div className="fr-hidden" role="log" aria-live="polite" aria-label={t('heading')}>
      {said.map(({ id, fromName, to, text }) => (
        <p key={id}>{t(to === 'all' ? 'said' : 'saidToYou', { name: fromName, text })}</p>
      ))}
    </div>
  );
}
