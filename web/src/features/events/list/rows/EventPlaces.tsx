/** How full an event is: taken places in words and as a bar, and until when some of them are only held. */
import type { OwnEvent } from '@fieldroom/contract/events';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../../platform/i18n/app.ts';
import { CLOCK_TIME, dateFormat } from '../../../../platform/i18n/formats.ts';
import type { Places } from './placesAt.ts';
import styles from './EventRow.module.css';

type Tone = 'cancelled' | 'held' | 'full' | undefined;

function toneOf(event: OwnEvent, { held, free }: Places): Tone {
  if (event.status === 'CANCELLED') return 'cancelled';
  if (free <= 0) return 'full';
  return held > 0 ? 'held' : undefined;
}

const clockTime = (instant: number) => dateFormat(currentLanguage(), CLOCK_TIME).format(instant);

function heldWords(t: TFunction<'my-events'>, { held, heldUntil }: Places): string {
  if (heldUntil === null) return t('places.held', { count: held });
  return t('places.heldUntil', { count: held, time: clockTime(heldUntil) });
}

function placesWords(t: TFunction<'my-events'>, event: OwnEvent, places: Places): string {
  if (event.status === 'CANCELLED') return t('list.cancelled');
  if (places.taken === 0 && event.type === 'ONE_ON_ONE') return t('vacant');
  if (places.free <= 0) return t('places.full');
  if (places.held === 0) return t('places.left', { count: places.free });
  return t('places.heldLeft', {
    held: heldWords(t, places),
    left: t('places.leftShort', { count: places.free }),
  });
}

/** Takes the current places (`placesAt`): holds that have ended since the fetch do not count. */
export function EventPlaces({ event, places }: { event: OwnEvent; places: Places }) {
  const { t } = useTranslation('my-events');
  return (
    <div className={styles.places}>
      <p>
        <span>{t('places.of', { taken: places.taken, max: event.maximumParticipant })}</span>
        <span data-tone={toneOf(event, places)}>{placesWords(t, event, places)}</span>
      </p>
      <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden focusable="false">
        <rect width="100" height="6" rx="1" className={styles.track} />
        <rect
          width={(100 * places.taken) / Math.max(1, event.maximumParticipant)}
          height="6"
          rx="1"
          className={styles.fill}
        />
      </svg>
    </div>
  );
}
