/**
 * The facts for a decision, and the one act; each state in which nothing can be booked says why and what can be done
 * instead.
 */
import { useState } from 'react';
import { browserZone } from '../../../platform/i18n/formats.ts';
import { BY_INTL, Facts, PlacesFact, priceText, WhenFact, WhereFact } from './EventFacts.tsx';
import type { EventData } from '../pageFromPath.ts';
import { timeAt } from './eventTimes.ts';
import { usePublicWords } from '../usePublicWords.ts';
import parts from '../frame/parts.module.css';
import styles from './BookingCard.module.css';
import buttons from '../../../light/buttons.module.css';

export interface BookingCardProps {
  data: EventData;
  /** Whether it can be booked, and if not, why. */
  standing: EventData['bookable'] | 'not_found';
  /** Until when this tab has a place held; null without one. */
  heldUntil: string | null;
  onBook(): void;
  /** Asks the therapist to tell when a place is free. */
  onAskForPlace(): void;
  /** Back to the hold that this tab has. */
  onHeld(): void;
  onLookAgain(): Promise<void>;
}

/**
 * Shown beside the description on an event's public page: time, place, free places, price, and the button that books or
 * asks for a place. A hold of this tab shows above everything, with the way back to it.
 */
export function BookingCard({
  data: { event, host, others },
  standing,
  heldUntil,
  onBook,
  onAskForPlace,
  onHeld,
  onLookAgain,
}: BookingCardProps) {
  const { t, language } = usePublicWords();
  const [looking, setLooking] = useState(false);
  const lookAgain = async () => {
    setLooking(true);
    await onLookAgain();
    setLooking(false);
  };
  const free = Number(event.price) === 0;
  const past = standing === 'event_cancelled' || standing === 'event_closed' || standing === 'not_found';
  const otherFree = others.some(({ freePlaces }) => freePlaces > 0);
  return (
    <div className={`${parts.card} ${styles.card}`}>
      {heldUntil ? (
        <div className={parts.note}>
          <p>{t('card.held', { time: timeAt(Date.parse(heldUntil), browserZone()) })}</p>
          <button type="button" className={buttons.secondary} onClick={onHeld}>
            {t('card.toHeld')}
          </button>
        </div>
      ) : null}
      {standing === 'yes' ? null : (
        <div className={parts.note} role="status" data-state={standing}>
          <p className={parts.noteTitle}>{t(`state.${standing}.title`)}</p>
          <p>
            {t(standing === 'event_full' && otherFree ? 'state.event_full.others' : `state.${standing}.text`, {
              name: host.firstName,
            })}
          </p>
          {standing === 'event_holds_full' ? (
            <button
              type="button"
              className={buttons.secondary}
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
      <Facts>
        <WhenFact event={event} />
        <WhereFact event={event} host={host.firstName} promised={!past} />
        {past ? null : <PlacesFact event={event} host={host.firstName} />}
      </Facts>
      <div className={styles.action}>
        <p className={styles.price}>
          <strong {...BY_INTL}>{priceText(event, language, t)}</strong>
          {free ? null : (
            <>
              {' '}
              <span>{t('price.person')}</span>
            </>
          )}
        </p>
        {standing === 'yes' ? (
          <button type="button" className={buttons.large} onClick={onBook}>
            {t('card.book')}
          </button>
        ) : null}
        {standing === 'event_full' && !heldUntil ? (
          <button type="button" className={buttons.large} onClick={onAskForPlace}>
            {t('card.askForPlace')}
          </button>
        ) : null}
        {standing === 'yes' ? (
          <p className={`${parts.small} ${styles.promise}`}>
            {t('card.promise')}
            {free ? '' : ` ${t('card.pay', { name: host.firstName })}`}
          </p>
        ) : null}
      </div>
    </div>
  );
}
