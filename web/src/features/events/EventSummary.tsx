/** How an event will appear: the card beside the form, and the same facts in the dialog before publishing. */
import type { Language } from '@fieldroom/contract/text';
import { IconArmchair, IconClock, IconMapPin, IconVideo } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Clash } from './clashes.ts';
import { pictureAddress } from './events.api.ts';
import { type EventFormValues, occurrencesOf, type Picture, ruleOf, wholeNumber } from './events.form.ts';
import { formatDays, formatPrice, formatWeekdays, parsePrice, parseTime } from './events.format.ts';
import { ClashMark } from './Repetition.tsx';
import { cityWords, ruleWords } from './words.ts';
import styles from './EventSummary.module.css';

export const addressOf = (picture: Picture): string | null =>
  picture.kind === 'new'
    ? picture.address
    : picture.kind === 'stored'
      ? pictureAddress(picture.ref.eventId, picture.ref.fileName)
      : null;

export interface FactsProps {
  values: EventFormValues;
  language: Language;
  clashes: readonly (Clash | null)[];
  /** How many dates are shown before the rest is counted. */
  datesMax?: number;
}

/** Place, time, places and price, dates; what is not written yet is said in grey. */
export function EventFacts({ values, language, clashes, datesMax = Number.POSITIVE_INFINITY }: FactsProps) {
  const { t } = useTranslation('events');
  const [from, to] = [parseTime(values.startTime), parseTime(values.endTime)];
  const places = values.type === 'ONE_ON_ONE' ? 1 : wholeNumber(values.maximumParticipant);
  const price = parsePrice(values.price, values.currency, language);
  const occurrences = occurrencesOf(values);
  const rule = ruleOf(values);
  const missing = (text: string) => <span className={styles.missing}>{text}</span>;
  const priceText: ReactNode =
    price === null
      ? missing(t('summary.priceMissing'))
      : Number(price) === 0
        ? t('summary.free')
        : t('summary.perPerson', { price: formatPrice(price, values.currency, language) });
  const placeText = values.isOnline
    ? t('place.online')
    : values.eventLocation.trim() === ''
      ? missing(t('summary.placeMissing'))
      : [values.eventLocation.trim(), values.address.trim()].filter(Boolean).join(', ');
  return (
    <>
      <ul className={styles.facts}>
        <li>
          {values.isOnline ? (
            <IconVideo size={20} stroke={1.75} aria-hidden />
          ) : (
            <IconMapPin size={20} stroke={1.75} aria-hidden />
          )}
          <span>{placeText}</span>
        </li>
        <li>
          <IconClock size={20} stroke={1.75} aria-hidden />
          <span>
            {from && to
              ? t('summary.time', { from, to, city: cityWords(t, values.timeZone) })
              : missing(t('summary.timeMissing'))}
          </span>
        </li>
        <li>
          <IconArmchair size={20} stroke={1.75} aria-hidden />
          <span>
            {typeof places === 'number' ? t('summary.places', { count: places }) : missing(t('summary.placesMissing'))}
            {', '}
            {priceText}
          </span>
        </li>
      </ul>
      <div className={styles.datesHead}>
        <span className={styles.datesCount}>
          {occurrences.length === 0
            ? missing(t('summary.datesMissing'))
            : `${t('summary.dates', { count: occurrences.length })}${typeof places === 'number' && occurrences.length > 1 ? `, ${t('summary.allPlaces', { count: places * occurrences.length })}` : ''}`}
        </span>
        {rule && occurrences.length > 1 ? <span className={styles.ruleText}>{ruleWords(t, rule)}</span> : null}
      </div>
      <ul className={styles.dates}>
        {occurrences.slice(0, datesMax).map((dates, index) => (
          <li key={dates[0]}>
            <span className={styles.date}>{formatDays(dates, language)}</span>
            {clashes[index] ? (
              <ClashMark clash={clashes[index]} language={language} several={dates.length > 1} />
            ) : (
              <span className={styles.weekdays}>{formatWeekdays(dates, language)}</span>
            )}
          </li>
        ))}
        {occurrences.length > datesMax ? (
          <li className={styles.more}>{t('summary.more', { count: occurrences.length - datesMax })}</li>
        ) : null}
      </ul>
    </>
  );
}
