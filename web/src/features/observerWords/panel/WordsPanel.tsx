/** The words shown now, and the question to a client without a role (docs/product.md#6.31). */
import { OBSERVER_WORD_MAX } from '@fieldroom/contract/observerWords';
import { line } from '@fieldroom/contract/text';
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemFromBody } from '../../../platform/api/index.ts';
import { formFault } from '../../../platform/forms/formFault.ts';
import { faultText, problemText, type Say } from '../../../platform/i18n/faults.ts';
import type { ObserverWordsProps } from '../ObserverWords.tsx';
import { useObserverWordsPart, useObserverWordsStore } from '../useObserverWords.ts';
import parts from '../../../ui/roomParts.module.css';
import styles from './WordsPanel.module.css';

/** In the contract's form; created here, so that the room's first scripts need no schemas. */
const ownWord = line(OBSERVER_WORD_MAX);

/** Common words, each with a text of its own in every language. */
const COMMON = ['warm', 'light', 'heavy', 'sad', 'tense', 'calm', 'moved', 'curious'] as const;

/**
 * Drawn while words are invited. Clients with a role see words and no question. A refusal opens the question again,
 * with the text in it.
 */
export function WordsPanel({ people, me, therapistName, still, keepClear, fitBeside }: ObserverWordsProps) {
  const words = useObserverWordsPart((model) => model.words);
  return (
    <div className={styles.place}>
      <ShownWords words={words} people={people} keepClear={keepClear} />
      {me !== null && me.roles.length === 0 && (
        <Question therapistName={therapistName} still={still} fitBeside={fitBeside} />
      )}
    </div>
  );
}

/** Each word beside its name, the newest at the top; screen readers announce it once. */
function ShownWords({
  words,
  people,
  keepClear,
}: {
  words: readonly { actId: string; personId: number; text: string }[];
} & Pick<ObserverWordsProps, 'people' | 'keepClear'>) {
  const { t } = useTranslation('observerWords');
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (list.current ? keepClear(list.current) : undefined), [keepClear]);
  return (
    <div ref={list} className={styles.words} data-words role="log" aria-live="polite" aria-label={t('list')}>
      {words.map(({ actId, personId, text }) => {
        const person = people.find(({ id }) => id === personId);
        return (
          person && (
            <p key={actId}>
              <bdi>{person.name}</bdi> <strong dir="auto">{text}</strong>
            </p>
          )
        );
      })}
    </div>
  );
}

/** While nothing can be said it draws nothing, but keeps the typed text and whether the question was dismissed. */
function Question({
  therapistName,
  still,
  fitBeside,
}: Pick<ObserverWordsProps, 'therapistName' | 'still' | 'fitBeside'>) {
  const { t } = useTranslation('observerWords');
  const { t: tp } = useTranslation('problems');
  const sayProblem = tp as unknown as Say;
  const store = useObserverWordsStore();
  const sending = useObserverWordsPart((model) => model.sending);
  const refused = useObserverWordsPart((model) => model.refused);
  const [open, setOpen] = useState(true);
  const [text, setText] = useState('');
  const heading = useId();
  const box = useRef<HTMLFormElement & HTMLButtonElement>(null);
  useFocusKept(open, box);
  useLayoutEffect(() => (box.current ? fitBeside(box.current) : undefined), [open, still, fitBeside]);
  const say = (word: string) => {
    // Without a connection, which a bar reports, the question stays with the typed text.
    if (!store.say(word)) return;
    setText('');
    setOpen(false);
  };
  // A refusal opens the question again, with the text in it.
  const [seenRefusal, setSeenRefusal] = useState(refused);
  if (refused !== seenRefusal) {
    setSeenRefusal(refused);
    if (refused !== null) {
      setOpen(true);
      setText(refused.text);
    }
  }
  const wrong = text.trim() === '' ? null : formFault(ownWord, text);
  const fault =
    wrong !== null
      ? faultText(sayProblem, 'text', wrong)
      : refused && problemText(sayProblem, problemFromBody(refused.problem, refused.problem.status));
  if (still) return null;
  if (!open)
    return (
      <button ref={box} type="button" className={styles.again} onClick={() => setOpen(true)}>
        {t('again')}
      </button>
    );
  return (
    <form
      ref={box}
      className={styles.question}
      data-question=""
      aria-labelledby={heading}
      tabIndex={-1}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && wrong === null && sending === null) say(text);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false);
      }}
    >
      <p id={heading}>{t('question', { name: therapistName })}</p>
      <div className={styles.common}>
        {COMMON.map((word) => (
          <button key={word} type="button" disabled={sending !== null} onClick={() => say(t(`word.${word}`))}>
            {t(`word.${word}`)}
          </button>
        ))}
      </div>
      <div className={styles.own}>
        <input
          className={parts.textField}
          value={text}
          maxLength={OBSERVER_WORD_MAX}
          aria-label={t('own')}
          placeholder={t('own')}
          aria-invalid={fault !== null || undefined}
          aria-describedby={fault === null ? undefined : `${heading}-fault`}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" disabled={sending !== null}>
          {t('say')}
        </button>
      </div>
      {fault !== null && (
        <p id={`${heading}-fault`} role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
      <p className={styles.note}>
        {t('note')}
        <button type="button" onClick={() => setOpen(false)}>
          {t('later')}
        </button>
      </p>
    </form>
  );
}

/** The question and the button that reopens it replace each other: the focus moves from one to the other. */
function useFocusKept(open: boolean, box: RefObject<HTMLElement | null>): void {
  const before = useRef(open);
  useEffect(() => {
    if (before.current === open) return;
    before.current = open;
    // The element that had the focus is gone. A focus that has moved elsewhere stays there.
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [open, box]);
}
