/** The message form: the recipient, the text, and why it cannot be sent. */
import type { Person } from '@fieldroom/contract/clients';
import { MESSAGE_MAX } from '@fieldroom/contract/messages';
import { paragraphs } from '@fieldroom/contract/text';
import { IconLock, IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { problemFromBody } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { charactersLeft } from '../../../platform/i18n/charactersLeft.ts';
import { faultText, problemText, type Say } from '../../../platform/i18n/faults.ts';
import { useMediaQuery } from '../../../ui/useMediaQuery.ts';
import type { Draft } from '../messagesModel.ts';
import { useMessagesPart, useMessagesStore } from '../useMessages.ts';
import styles from './MessagesPanel.module.css';

/** The author, and the possible recipients. */
export interface WritingPerson {
  as: 'therapist' | 'client';
  therapist: { id: number; name: string };
  /** The clients in the room. */
  people: readonly Pick<Person, 'id' | 'name'>[];
  therapistHere: boolean;
}

/**
 * The text of the contract's `sendMessage`. Not imported from there: its file would be part of the room's first load,
 * and bring the schema library with it.
 */
const messageText = paragraphs(MESSAGE_MAX);

/**
 * Enter sends and Shift with Enter starts a new line; on touch screens Enter starts a new line too. A text that cannot
 * be sent stays, with the reason below it (docs/product.md#6.8).
 */
export function MessageInput({ input, ...who }: WritingPerson & { input: RefObject<HTMLTextAreaElement | null> }) {
  const { t } = useTranslation('messages');
  const store = useMessagesStore();
  const draft = useMessagesPart((model) => model.draft);
  const touch = useMediaQuery('(hover: none) and (pointer: coarse)');
  const noteId = useId();
  const hindrance = useHindrance(who, draft);
  const checked = messageText.safeParse(draft.text);
  const text = checked.success ? checked.data : draft.text.trim();
  const over = Math.max(0, text.length - MESSAGE_MAX);
  const left = charactersLeft(sayProblem, text, MESSAGE_MAX);
  const alone = draft.to !== 'all';

  const send = () => {
    if (checked.success && hindrance === null) store.send(checked.data);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    // A keyboard on the screen has no other key for a new line.
    if (touch && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      className={styles.write}
      data-private={alone || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <RecipientChoice {...who} />
      <textarea
        ref={input}
        className={styles.input}
        rows={2}
        dir="auto"
        value={draft.text}
        aria-label={alone ? t('input.toOne', { name: draft.toName ?? '' }) : t('input.toAll')}
        aria-describedby={noteId}
        aria-invalid={over > 0 || draft.refused !== null || undefined}
        placeholder={t('input.placeholder')}
        onChange={(event) => store.edit({ text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <div id={noteId} className={styles.notes}>
        <Hindrance who={who} draft={draft} hindrance={hindrance} />
        {!checked.success && hasFault(checked.error.issues, 'unsafe_characters') && (
          <p data-tone="fault">{faultText(sayProblem, 'text', 'unsafe_characters')}</p>
        )}
        {over > 0 && <p data-tone="fault">{t('input.over', { count: over })}</p>}
        {left !== '' && <p data-tone="plain">{left}</p>}
      </div>
      {!touch && <p className={styles.keys}>{t('input.keys')}</p>}
      <button type="submit" className={styles.send} disabled={!checked.success || hindrance !== null}>
        <IconSend2 size={20} stroke={1.75} aria-hidden />
        {t('input.send')}
      </button>
    </form>
  );
}

const hasFault = (issues: readonly { message: string }[], code: string) =>
  issues.some(({ message }) => message === code);

/** Why nothing can be sent right now; null if it can. */
function useHindrance({ as, people, therapistHere }: WritingPerson, { to }: Draft): 'gone' | 'away' | null {
  if (as === 'client') return therapistHere ? null : 'away';
  return to === 'all' || people.some(({ id }) => id === to) ? null : 'gone';
}

/** Problems with other words here than elsewhere. */
const OWN_WORDS = {
  'problem.therapist_away': 'refused.away',
  'problem.not_found': 'refused.gone',
  'problem.too_many_requests': 'refused.tooMany',
} as const;

interface HindranceProps {
  who: WritingPerson;
  draft: Draft;
  hindrance: 'gone' | 'away' | null;
}

/** Why the text is still here instead of sent. */
function Hindrance({ who, draft, hindrance }: HindranceProps) {
  const { t } = useTranslation('messages');
  const words = { therapist: who.therapist.name, name: draft.toName ?? '' };
  if (hindrance !== null)
    return (
      <p role="alert" data-tone="warning">
        {t(`refused.${hindrance}`, words)}
      </p>
    );
  if (draft.refused !== null) {
    const say: Say = (key, values) => {
      const own = OWN_WORDS[key as keyof typeof OWN_WORDS];
      return own ? t(own, { ...words, ...values }) : sayProblem(key, values);
    };
    return (
      <p role="alert" data-tone="fault">
        {t('refused.kept')} {problemText(say, problemFromBody(draft.refused, draft.refused.status))}
      </p>
    );
  }
  return who.as === 'therapist' && who.people.length === 0 ? <p>{t('nobody')}</p> : null;
}

/** All, or one person. A person who has left stays chosen, so that nothing private goes to all by itself. */
function RecipientChoice({ as, therapist, people }: WritingPerson) {
  const { t } = useTranslation('messages');
  const store = useMessagesStore();
  const draft = useMessagesPart((model) => model.draft);
  const selectId = useId();
  const others = as === 'client' ? [therapist] : people;
  const gone = draft.to !== 'all' && !others.some(({ id }) => id === draft.to);
  const choose = (value: string) => {
    const person = others.find(({ id }) => String(id) === value);
    store.edit(person ? { to: person.id, toName: person.name } : { to: 'all', toName: null });
  };
  return (
    <div className={styles.to}>
      <label htmlFor={selectId}>{t('to.label')}</label>
      <select id={selectId} value={String(draft.to)} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="all">{t('to.all')}</option>
        {others.map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {t('to.only', { name })}
          </option>
        ))}
        {gone && (
          <option value={String(draft.to)} disabled>
            {t('to.gone', { name: draft.toName ?? '' })}
          </option>
        )}
      </select>
      {draft.to !== 'all' && <IconLock size={16} stroke={2} aria-hidden />}
    </div>
  );
}
