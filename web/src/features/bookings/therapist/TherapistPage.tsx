/** A therapist's public page: the therapist, and the events that can be booked. */
import { type Event, type EventFilter, type EventType, upcomingEvents } from '@fieldroom/contract/events';
import { KEYWORD_MAX } from '@fieldroom/contract/lists';
import { fullName } from '@fieldroom/contract/names';
import { eventPage } from '@fieldroom/contract/pages';
import { isUnsafe } from '@fieldroom/contract/text/unsafe';
import { IconMail, IconSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { FigureShape } from '../../../ui/figures/FigureShape.tsx';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import { anonymousApi } from '../anonymousApi.ts';
import { Alert } from '../../../light/controls.tsx';
import { ContactDialog } from './ContactDialog.tsx';
import { TherapistText } from './TherapistText.tsx';
import { BY_INTL, Chips, daysText, priceText } from '../event/EventFacts.tsx';
import { Avatar, PageFrame, Picture } from '../frame/PageFrame.tsx';
import type { TherapistData } from '../pageFromPath.ts';
import { useViewerZone, whenOf } from '../event/eventTimes.ts';
import { usePublicWords } from '../usePublicWords.ts';
import styles from './TherapistPage.module.css';
import parts from '../frame/parts.module.css';
import buttons from '../../../light/buttons.module.css';

/** With at least this many events, the page offers a search. */
const MANY = 6;
/** Real time after the last key before the list is fetched. */
const TYPING_MS = 350;

type Upcoming = TherapistData['upcoming'];
interface Wanted {
  type: EventType | null;
  keyword: string;
}
const EVERYTHING: Wanted = { type: null, keyword: '' };

/** A list with its next part. An event that moved up in between is not shown twice. */
const joined = (before: Upcoming, next: Upcoming): Upcoming => ({
  ...next,
  content: [...before.content, ...next.content.filter(({ id }) => !before.content.some((known) => known.id === id))],
});

/**
 * Lists upcoming events in parts, with a search where there are many. New data from the server replaces the parts that
 * are shown, so that nobody loses their place in the list.
 */
export function TherapistPage({ data: { host, upcoming } }: { data: TherapistData }) {
  const { t, language, refusal, fault } = usePublicWords();
  const [type, setType] = useState<EventType | null>(null);
  const [keyword, setKeyword] = useState('');
  const [list, setList] = useState<Upcoming>(upcoming);
  /** The filter of the shown list (the chosen one may still be loading or have failed). */
  const [answered, setAnswered] = useState(EVERYTHING);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [writing, setWriting] = useState(false);
  const [draft, setDraft] = useState({ email: '', message: '' });
  const asking = useRef<AbortController | null>(null);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const filtered = type !== null || keyword.trim() !== '';
  const isAnswered = answered.type === type && answered.keyword.trim() === keyword.trim();
  useEffect(() => () => clearTimeout(typing.current), []);
  const shown = useRef(list);
  shown.current = list;
  // The page was fetched again. Every further part of the list that is shown is fetched too, so that nobody loses
  // their place.
  useEffect(() => {
    if (filtered) return;
    // A pending request for more is answered first.
    if (busy) return;
    const { page: last } = shown.current;
    const show = (next: Upcoming) => {
      setList(next);
      setAnswered(EVERYTHING);
    };
    if (last === 0) return show(upcoming);
    const mine = new AbortController();
    asking.current?.abort();
    asking.current = mine;
    const parts = Array.from({ length: last }, (_, index) => findPart(EVERYTHING, index + 1, mine.signal));
    Promise.all(parts).then(
      (rest) => mine.signal.aborted || show(rest.reduce(joined, upcoming)),
      // The shown data stays until the next refresh.
      () => {},
    );
    // eslint-disable-next-line react/exhaustive-deps
  }, [upcoming]);

  const findPart = (wanted: Wanted, page: number, signal: AbortSignal): Promise<Upcoming> => {
    const body: EventFilter = {
      ...(wanted.type ? { type: wanted.type } : {}),
      ...(wanted.keyword.trim() ? { keyword: wanted.keyword.trim() } : {}),
    };
    return anonymousApi.call(upcomingEvents, {
      params: { therapistName: host.therapistName },
      query: { page, size: upcoming.size },
      body,
      signal,
    });
  };

  /** Fetches a page of the chosen list; a newer choice ends the older request. */
  const ask = async (wanted: Wanted, page: number) => {
    clearTimeout(typing.current);
    if (isUnsafe(wanted.keyword)) return;
    asking.current?.abort();
    const mine = new AbortController();
    asking.current = mine;
    setBusy(true);
    setProblem(null);
    try {
      const found = await findPart(wanted, page, mine.signal);
      setList((before) => (page === 0 ? found : joined(before, found)));
      setAnswered(wanted);
    } catch (refused) {
      if (mine.signal.aborted) return;
      setProblem(refused);
    }
    if (asking.current === mine) setBusy(false);
  };
  const more = list.content.length < list.totalElements && (list.page + 1) * list.size < list.totalElements;
  const wrong = isUnsafe(keyword);
  /** Fetches what is chosen and not shown: the filtered list, or its next part. */
  const askOn = () => void ask({ type, keyword }, isAnswered && more ? list.page + 1 : 0);
  const again = useRef(askOn);
  again.current = askOn;
  useEffect(() => {
    if (!problem) return undefined;
    const onOnline = () => again.current();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [problem]);
  return (
    <PageFrame
      title={t('therapist.pageTitle', { name: fullName(language, host) })}
      host={host}
      list
      onContact={() => setWriting(true)}
    >
      <div className={styles.person}>
        <Avatar host={host} size={108} />
        <div>
          <h1 className="fr-voice">{fullName(language, host)}</h1>
          <p className={parts.lead}>{host.line || t('therapist.lead')}</p>
          {host.about ? (
            <a className={styles.toAbout} href="#about">
              {t('therapist.moreAbout', { name: host.firstName })}
            </a>
          ) : null}
        </div>
        <button type="button" className={buttons.secondary} onClick={() => setWriting(true)}>
          <IconMail size={20} stroke={1.75} aria-hidden />
          {t('contact.writeTo', { name: host.firstName })}
        </button>
      </div>
      <section aria-labelledby="upcoming">
        <h2 id="upcoming" className={styles.heading}>
          {t('therapist.upcoming')}
        </h2>
        {upcoming.totalElements > MANY ? (
          <Filter
            type={type}
            keyword={keyword}
            wrong={wrong}
            onType={(next) => {
              setType(next);
              void ask({ type: next, keyword }, 0);
            }}
            onKeyword={(next) => {
              setKeyword(next);
              clearTimeout(typing.current);
              typing.current = setTimeout(() => void ask({ type, keyword: next }, 0), TYPING_MS);
            }}
            onSubmit={() => void ask({ type, keyword }, 0)}
          />
        ) : null}
        {wrong ? <Alert>{fault('keyword', 'unsafe_characters')}</Alert> : null}
        {problem ? (
          <>
            <Alert>{refusal(problem)}</Alert>
            <div className={styles.more}>
              <button type="button" className={buttons.secondary} onClick={askOn}>
                {t('tryAgain')}
              </button>
            </div>
          </>
        ) : null}
        <p role="status" className="fr-hidden">
          {filtered && !busy && isAnswered ? t('therapist.found', { count: list.totalElements }) : ''}
        </p>
        {list.content.length === 0 ? (
          <Empty
            filtered={filtered}
            name={host.firstName}
            onAll={() => {
              setType(null);
              setKeyword('');
              void ask(EVERYTHING, 0);
            }}
          />
        ) : null}
        <ul className={styles.cards} aria-busy={busy}>
          {list.content.map((event, index) => (
            <EventCard key={event.id} event={event} eager={index < 2} />
          ))}
        </ul>
        {more ? (
          <div className={styles.more}>
            <button
              type="button"
              className={buttons.secondary}
              aria-disabled={busy}
              onClick={() => {
                if (!busy) askOn();
              }}
            >
              {t(busy ? 'loading' : 'therapist.more')}
            </button>
          </div>
        ) : null}
      </section>
      {host.about ? (
        <section className={styles.about} aria-labelledby="about">
          <h2 id="about" tabIndex={-1} className={styles.heading}>
            {t('therapist.about', { name: host.firstName })}
          </h2>
          <TherapistText text={host.about} />
        </section>
      ) : null}
      {writing ? (
        <ContactDialog host={host} draft={draft} onDraft={setDraft} onClose={() => setWriting(false)} />
      ) : null}
    </PageFrame>
  );
}

function Filter({
  type,
  keyword,
  wrong,
  onType,
  onKeyword,
  onSubmit,
}: {
  type: EventType | null;
  keyword: string;
  /** Something is wrong with the keyword. */
  wrong: boolean;
  onType(type: EventType | null): void;
  onKeyword(keyword: string): void;
  onSubmit(): void;
}) {
  const { t } = usePublicWords();
  const id = useId();
  const kinds = [
    [null, 'therapist.all'],
    ['GROUP', 'group'],
    ['ONE_ON_ONE', 'oneToOne'],
  ] as const;
  return (
    <form
      role="search"
      className={styles.filter}
      aria-label={t('therapist.filter')}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <fieldset className={styles.segments}>
        <legend className="fr-hidden">{t('kindLabel')}</legend>
        {kinds.map(([kind, words]) => (
          <label key={words}>
            <input type="radio" name={`${id}-kind`} checked={type === kind} onChange={() => onType(kind)} />
            <span>{t(words)}</span>
          </label>
        ))}
      </fieldset>
      <label className={styles.search}>
        <IconSearch size={20} stroke={1.75} aria-hidden />
        <span className="fr-hidden">{t('therapist.keyword')}</span>
        <input
          type="search"
          name="keyword"
          autoComplete="off"
          maxLength={KEYWORD_MAX}
          placeholder={t('therapist.keyword')}
          value={keyword}
          aria-invalid={wrong}
          onChange={(event) => onKeyword(event.target.value)}
        />
      </label>
    </form>
  );
}

function EventCard({ event, eager }: { event: Event; eager: boolean }) {
  const { t, language } = usePublicWords();
  const free = Math.max(0, event.maximumParticipant - event.currentParticipantsNumber);
  const { own, yours } = whenOf(event, useViewerZone());
  const shown = event.isOnline && yours ? yours : own;
  const cancelled = event.status === 'CANCELLED';
  return (
    <li className={`${parts.card} ${styles.tile}`}>
      <Picture event={event} className={styles.picture} eager={eager} />
      <div className={styles.body}>
        <Chips event={event} />
        <h3>
          <a className={parts.stretched} href={eventPage(event)}>
            {event.eventName}
          </a>
        </h3>
        <p {...BY_INTL}>
          {daysText(shown.days, language)}, {t('when.times', { from: shown.from, to: shown.to })}
        </p>
        {event.isOnline ? null : <p>{event.eventLocation}</p>}
        <p className={styles.foot}>
          <strong {...BY_INTL}>{priceText(event, language, t)}</strong>
          <span className={free === 0 || cancelled ? styles.none : undefined}>
            {cancelled
              ? t('places.cancelled')
              : free === 0
                ? t('places.full')
                : event.type === 'ONE_ON_ONE'
                  ? t('places.free')
                  : t('places.left', { count: free })}
          </span>
        </p>
      </div>
    </li>
  );
}

function Empty({ filtered, name, onAll }: { filtered: boolean; name: string; onAll(): void }) {
  const { t } = usePublicWords();
  const { scheme } = useAppearance();
  return (
    <div className={styles.empty}>
      <svg viewBox="-130 -64 260 128" width="182" height="90" aria-hidden focusable="false">
        <g transform="translate(-52 4) rotate(72) scale(.8)">
          <FigureShape kind="FEMALE_FIGURE" tone="#D7A065" scheme={scheme} />
        </g>
        <g transform="translate(58 4) rotate(-72) scale(.8)">
          <FigureShape kind="MALE_FIGURE" tone="#4BA8E2" scheme={scheme} />
        </g>
      </svg>
      <p className={styles.emptyTitle}>{t(filtered ? 'therapist.nothingFound' : 'therapist.nothing')}</p>
      <p>{t(filtered ? 'therapist.nothingFoundText' : 'therapist.nothingText', { name })}</p>
      {filtered ? (
        <button type="button" className={buttons.secondary} onClick={onAll}>
          {t('therapist.showAll')}
        </button>
      ) : null}
    </div>
  );
}
