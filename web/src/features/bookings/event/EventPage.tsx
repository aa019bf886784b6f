/** An event's page: what, when, where, the price, and the one act. Booking starts here. */
import { fullName } from '@fieldroom/contract/names';
import { eventPage } from '@fieldroom/contract/pages';
import { IconCalendarRepeat, IconMessageCircle } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { blocksOf, Description } from '../../events/description/index.ts';
import { formatDay } from '../../events/index.ts';
import { listFormat } from '../../../platform/i18n/formats.ts';
import { BookingCard } from './BookingCard.tsx';
import { ContactDialog } from '../therapist/ContactDialog.tsx';
import { BY_INTL, Chips } from './EventFacts.tsx';
import { BookingDialog } from './BookingDialog.tsx';
import type { Person } from './bookingForm.ts';
import type { KeptHold } from '../sessionStorage.ts';
import { Avatar, PageFrame, Picture } from '../frame/PageFrame.tsx';
import type { EventData } from '../pageFromPath.ts';
import { usePublicWords } from '../usePublicWords.ts';
import styles from './EventPage.module.css';
import parts from '../frame/parts.module.css';

/** Names with at least this many characters are set in smaller type. */
const LONG = 64;

export interface EventPageProps {
  data: EventData;
  /** Until when this tab has a place held; null without one. */
  heldUntil: string | null;
  /** What was typed to book. */
  person: Person;
  onPerson(person: Person): void;
  /** A place is held now. */
  onBooked(hold: KeptHold): void;
  /** Back to the place that is held. */
  onHeld(): void;
  /** Asks the server for the current state. */
  onLookAgain(): Promise<void>;
}

/**
 * Drawn on the server first (docs/product.md#11.11). A short first paragraph of the description becomes the lead. Text
 * typed into its dialogs stays when they close.
 */
export function EventPage({ data, heldUntil, person, onPerson, onBooked, onHeld, onLookAgain }: EventPageProps) {
  const { t, language } = usePublicWords();
  const { event, host, others } = data;
  const standing = data.gone ? 'not_found' : data.bookable;
  const [open, setOpen] = useState<'book' | 'contact' | null>(null);
  // Kept here, so that closing the dialog loses nothing of what was typed.
  const [draft, setDraft] = useState({ email: '', message: '' });

  /** Words to begin with; typed text stays. */
  const askForPlace = () => {
    if (draft.message === '') {
      const day = formatDay(event.dates[0]!, language, { weekday: 'long', day: 'numeric', month: 'long' });
      setDraft({ ...draft, message: t('contact.placeWanted', { event: event.eventName, day }) });
    }
    setOpen('contact');
  };

  const [first, ...rest] = blocksOf(event.description);
  const lead = first?.kind === 'text' && first.text.length <= 320 ? first.text : null;
  return (
    <PageFrame
      title={`${event.eventName} · ${fullName(language, host)}`}
      host={host}
      kind="event"
      onContact={() => setOpen('contact')}
    >
      <Picture event={event} className={styles.hero} eager />
      {/* Parts that the script takes over one after the other, so that it never blocks a weak phone for long. */}
      <div className={styles.sheet} data-bookable={standing === 'yes'}>
        <div className={styles.intro}>
          <Chips event={event} />
          <h1 className={event.eventName.length > LONG ? `fr-voice ${styles.long}` : 'fr-voice'}>{event.eventName}</h1>
          {lead ? <p className={`${parts.lead} ${styles.lead}`}>{lead}</p> : null}
        </div>
        <aside className={styles.side} aria-label={t('card.label')}>
          <Suspense>
            <BookingCard
              data={data}
              standing={standing}
              heldUntil={heldUntil}
              onBook={() => setOpen('book')}
              onAskForPlace={askForPlace}
              onHeld={onHeld}
              onLookAgain={onLookAgain}
            />
          </Suspense>
          <Suspense>
            <ul className={styles.beside}>
              {others.length > 0 ? <Others of={event} others={others} /> : null}
              <li>
                <IconMessageCircle size={20} stroke={1.75} aria-hidden />
                <span>{t('contact.unsure')}</span>
                <button type="button" className={parts.link} onClick={() => setOpen('contact')}>
                  {t('contact.writeTo', { name: host.firstName })}
                </button>
              </li>
            </ul>
          </Suspense>
        </aside>
        <Suspense>
          <div className={styles.rest}>
            <Description blocks={lead === null && first ? [first, ...rest] : rest} />
            <About host={host} />
          </div>
        </Suspense>
      </div>
      {open === 'book' ? (
        <BookingDialog
          data={data}
          person={person}
          onPerson={onPerson}
          onClose={() => setOpen(null)}
          onHeld={onBooked}
          onRefused={() => void onLookAgain()}
        />
      ) : null}
      {open === 'contact' ? (
        <ContactDialog host={host} draft={draft} onDraft={setDraft} onClose={() => setOpen(null)} />
      ) : null}
    </PageFrame>
  );
}

/** The therapist, in their own words; nothing if they wrote none. */
function About({ host }: { host: EventData['host'] }) {
  const { t } = usePublicWords();
  if (host.line === '' && host.about === '') return null;
  return (
    <section className={styles.about} aria-labelledby="about">
      <div className={styles.person}>
        <Avatar host={host} size={56} />
        <div>
          <h2 id="about">{t('therapist.about', { name: host.firstName })}</h2>
          {host.line ? <p>{host.line}</p> : null}
        </div>
      </div>
      <Description blocks={blocksOf(host.about)} level="h3" />
    </section>
  );
}

/** The other dates of a series: the next two in a sentence, all of them on demand. */
function Others({
  of: { therapistName },
  others,
}: {
  of: Pick<EventData['event'], 'therapistName'>;
  others: EventData['others'];
}) {
  const { t, language } = usePublicWords();
  const [open, setOpen] = useState(false);
  const list = listFormat(language);
  // A day and its month stay on one line.
  const short = (day: string) => formatDay(day, language, { day: 'numeric', month: 'long' }).replaceAll(' ', '\u00A0');
  return (
    <>
      <li>
        <IconCalendarRepeat size={20} stroke={1.75} aria-hidden />
        <span {...BY_INTL}>
          {t('others.also', { days: list.format(others.slice(0, 2).map(({ dates }) => short(dates[0]!))) })}
        </span>
        <button
          type="button"
          className={parts.link}
          aria-expanded={open}
          aria-controls="other-dates"
          onClick={() => setOpen(!open)}
        >
          {t('others.open')}
        </button>
      </li>
      <li id="other-dates" className={styles.others} hidden={!open}>
        <ul>
          {others.map((other) => (
            <li key={other.id}>
              <a href={eventPage({ therapistName, id: other.id })} {...BY_INTL}>
                {formatDay(other.dates[0]!, language, {
                  weekday: 'short',
                  day: 'numeric',
                  month: 'long',
                  year: 'numeric',
                })}
              </a>
              <span>{other.freePlaces > 0 ? t('places.left', { count: other.freePlaces }) : t('places.full')}</span>
            </li>
          ))}
        </ul>
      </li>
    </>
  );
}
