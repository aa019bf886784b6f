/** What one needs to decide, and the one act; each state in which nothing can be booked says why and what can be done instead. */
import { useState } from 'react';
import { browserZone } from '../events/index.ts';
import { BY_INTL, PlacesFact, priceText, WhenFact, WhereFact } from './Facts.tsx';
import type { KeptHold } from './memory.ts';
import type { EventData } from './place.ts';
import { timeAt } from './when.ts';
import { useWords } from './words.ts';

export interface BookingCardProps {
  data: EventData;
  hold: KeptHold | null;
  onBook(): void;
  /** Back to the hold that this tab has. */
  onHeld(): void;
  onLookAgain(): Promise<void>;
}

export function BookingCard({
  data: { event, host, others, bookable },
  hold,
  onBook,
  onHeld,
  onLookAgain,
}: BookingCardProps) {
  const { t, language } = useWords();
  const [looking, setLooking] = useState(false);
  const lookAgain = async () => {
    setLooking(true);
    await onLookAgain();
    setLooking(false);
  };
  const free = Number(event.price) === 0;
  const past = bookable === 'event_cancelled' || bookable === 'event_closed';
  const otherFree = others.some(({ freePlaces }) => freePlaces > 0);
  return (
    <div className="ev-card ev-booking">
      {hold ? (
        <div className="ev-note">
          <p>{t('card.held', { time: timeAt(Date.parse(hold.heldUntil), browserZone()) })}</p>
          <button type="button" className="fr-button ev-plain" onClick={onHeld}>
            {t('card.toHeld')}
          </button>
        </div>
      ) : null}
      {bookable === 'yes' ? null : (
        <div className="ev-note" role="status" data-state={bookable}>
          <p className="ev-note-title">{t(`state.${bookable}.title`)}</p>
          <p>
            {t(bookable === 'event_full' && otherFree ? 'state.event_full.others' : `state.${bookable}.text`, {
              name: host.firstName,
            })}
          </p>
          {bookable === 'event_holds_full' ? (
            <button
              type="button"
              className="fr-button ev-plain"
              aria-disabled={looking}
              onClick={() => {
                if (!looking) void lookAgain();
              }}
            >
              {t(looking ? 'state.looking' : 'state.lookAgain')}
            </button>
          ) : null}
        </div>
      )}
      <ul className="ev-facts">
        <WhenFact event={event} />
        <WhereFact event={event} host={host.firstName} promised={!past} />
        {past ? null : <PlacesFact event={event} host={host.firstName} />}
      </ul>
      <div className="ev-act">
        <p className="ev-price">
          <strong {...BY_INTL}>{priceText(event, language, t)}</strong>
          {free ? null : (
            <>
              {' '}
              <span>{t('price.person')}</span>
            </>
          )}
        </p>
        {bookable === 'yes' ? (
          <button type="button" className="fr-button fr-main-act" onClick={onBook}>
            {t('card.book')}
          </button>
        ) : null}
        {bookable === 'yes' ? (
          <p className="ev-small">
            {t('card.promise')}
            {free ? '' : ` ${t('card.pay', { name: host.firstName })}`}
          </p>
        ) : null}
      </div>
    </div>
  );
}
