/**
 * One calm message at a time on the field, beside its tools: what happened, and one act. It disappears by itself, but
 * never while it has the pointer or the focus; faults stay until they are closed (docs/product.md#11.71). Mounted in
 * the room's area.
 */
import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tellNotFetchedAs } from '../../../ui/lazy/notFetched.ts';
import { NEWS_MS, NEWS_WITH_ACT_MS } from '../../../ui/states/newsTimes.ts';
import { useNews } from '../../../ui/states/useNews.ts';
import { focusField } from '../../field/index.ts';
import styles from './Toast.module.css';

/** A person in a notice. */
interface ToldPerson {
  id: number;
  name: string;
}

/** Notices of one kind about several people, which are merged while the first is still shown. */
export interface Together {
  kind: 'login' | 'arrived';
  who: readonly ToldPerson[];
  /** The people; at least one. */
  text(who: readonly ToldPerson[]): string;
}

export interface Told {
  text: string;
  tone?: 'done' | 'plain' | 'fault';
  act?: { label: string; run(): void };
  together?: Together;
}

/** A notice about people, as it is shown without another notice of its kind. */
export const toldOf = (together: Together): Told => ({ text: together.text(together.who), together });

/** The notice to show after the next one. Takes the present notice. */
export function toldAfter(before: Told | null, next: Told): Told {
  if (!next.together) return next;
  const { kind, text } = next.together;
  const told = before?.together?.kind === kind ? before.together.who : [];
  const who = [...new Map([...told, ...next.together.who].map((person) => [person.id, person])).values()];
  return { ...next, ...toldOf({ kind, who, text }) };
}

/**
 * Removes people who have left from the shown notice. Takes the kind of notice and the ids of those who are still
 * there. Returns the same notice if it is of another kind or nobody has left, and null if nobody remains.
 */
export function toldOfThose<T extends Told>(
  before: T | null,
  kind: Together['kind'],
  here: ReadonlySet<number>,
): T | null {
  const together = before?.together;
  if (!before || together?.kind !== kind) return before;
  const who = together.who.filter(({ id }) => here.has(id));
  if (who.length === together.who.length) return before;
  return who.length === 0 ? null : { ...before, ...toldOf({ ...together, who }) };
}

/**
 * The room's notices. `tell` shows one, `close` closes it, and `onlyThose` removes from notices of a kind the people
 * who are not in the given list. A part of the room that could not be fetched is reported here too.
 */
export function useToast() {
  const [told, setTold] = useState<(Told & { key: number }) | null>(null);
  const tell = useCallback(
    (next: Told) => setTold((before) => ({ ...toldAfter(before, next), key: (before?.key ?? 0) + 1 })),
    [],
  );
  const onlyThose = useCallback(
    (kind: Together['kind'], people: readonly { id: number }[]) =>
      setTold((before) => toldOfThose(before, kind, new Set(people.map(({ id }) => id)))),
    [],
  );
  const close = useCallback(() => setTold(null), []);
  useEffect(
    () =>
      tellNotFetchedAs((text) => {
        tell({ text, tone: 'fault' });
        return () => setTold((before) => (before?.text === text ? null : before));
      }),
    [tell],
  );
  return { told, tell, onlyThose, close };
}

/** How far a notice rises while it appears, as in the style sheet. */
const RISE_PX = 8;

interface ToastProps {
  told: (Told & { key: number }) | null;
  onClose(): void;
  /**
   * Takes an element over the field, and how far names keep away from it, px; the returned function is called when the
   * element is removed. A stable function.
   */
  onPlace(element: Element, away: number): (() => void) | undefined;
}

/** Draws the present notice of `useToast`, or an empty live region. A notice with an act stays longer. */
export function Toast({ told, onClose, onPlace }: ToastProps) {
  const ms = told?.act ? NEWS_WITH_ACT_MS : NEWS_MS;
  const newsHandlers = useNews({
    news: told?.key ?? null,
    ms: told?.tone === 'fault' ? null : ms,
    onGone: onClose,
    orElse: focusField,
  });
  return (
    <div className={styles.place} role="status" aria-live="polite" {...newsHandlers}>
      {told && <News key={told.key} told={told} onClose={onClose} onPlace={onPlace} />}
    </div>
  );
}

function News({ told, onClose, onPlace }: { told: Told } & Pick<ToastProps, 'onClose' | 'onPlace'>) {
  const { t } = useTranslation('field');
  const news = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (news.current ? onPlace(news.current, RISE_PX) : undefined), [onPlace]);
  // A phone's drawer ends above it; otherwise it would cover a switch there.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const element = news.current!;
    const observer = new ResizeObserver(() => style.setProperty('--news-height', `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--news-height');
    };
  }, []);
  return (
    <div ref={news} className={styles.toast} data-tone={told.tone ?? 'plain'}>
      {told.tone === 'done' && <IconCircleCheck size={22} stroke={1.75} aria-hidden />}
      {told.tone === 'fault' && <IconAlertCircle size={22} stroke={1.75} aria-hidden />}
      <span>{told.text}</span>
      {told.act && (
        <button
          type="button"
          onClick={() => {
            told.act?.run();
            onClose();
          }}
        >
          {told.act.label}
        </button>
      )}
      {told.tone === 'fault' && (
        <button type="button" aria-label={t('rail.close')} onClick={onClose}>
          <IconX size={18} stroke={1.75} aria-hidden />
        </button>
      )}
    </div>
  );
}
