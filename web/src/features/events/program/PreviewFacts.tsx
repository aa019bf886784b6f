/** How an event will appear: the facts on the card beside the form and in the dialog before publishing. */
import type { Language } from '@fieldroom/contract/text';
import { type Icon, IconArmchair, IconClock, IconMapPin, IconVideo } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { cityWords, ruleWords } from '../eventWords.ts';
import { ClashMark } from '../form/when/ClashMark.tsx';
import type { Clash } from '../form/when/clashes.ts';
import { type EventFormValues, occurrencesOf, ruleOf, wholeNumber } from '../form/formValues.ts';
import { formatDays, formatPrice, formatWeekdays, parsePrice, parseTime } from '../formatting.ts';
import styles from './PreviewFacts.module.css';

export interface FactsProps {
  values: EventFormValues;
  language: Language;
  clashes: readonly (Clash | null)[];
  /** How many dates are shown before the rest is counted. */
  datesMax?: number;
}

/** The number of places, or the fault of the typed text. */
const placesOf = ({ type, maximumParticipant }: EventFormValues) =>
  type === 'ONE_ON_ONE' ? 1 : wholeNumber(maximumParticipant);

/** Place, time, places and price, dates; missing parts are shown in grey. */
export function PreviewFacts({ values, language, clashes, datesMax = Number.POSITIVE_INFINITY }: FactsProps) {
  const { t } = useTranslation('events');
  const places = placesOf(values);
  return (
    <>
      <ul className={styles.facts}>
        <Fact icon={values.isOnline ? IconVideo : IconMapPin}>
          <PlaceWords values={values} />
        </Fact>
        <Fact icon={IconClock}>
          <TimeWords values={values} />
        </Fact>
        <Fact icon={IconArmchair}>
          {typeof places === 'number' ? (
            t('summary.places', { count: places })
          ) : (
            <Missing words={t('summary.placesMissing')} />
          )}
          {', '}
          <PriceWords values={values} language={language} />
        </Fact>
      </ul>
      <Dates values={values} language={language} clashes={clashes} datesMax={datesMax} />
    </>
  );
}

function Fact({ icon: FactIcon, children }: { icon: Icon; children: ReactNode }) {
  return (
    <li>
      <FactIcon size={20} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </li>
  );
}

function Missing({ words }: { words: string }) {
  return <span className={styles.missing}>{words}</span>;
}

function PlaceWords({ values }: { values: EventFormValues }) {
  const { t } = useTranslation('events');
  const [location, address] = [values.eventLocation.trim(), values.address.trim()];
  if (values.isOnline) return t('place.online');
  if (location === '') return <Missing words={t('summary.placeMissing')} />;
  return [location, address].filter(Boolean).join(', ');
}

function TimeWords({ values }: { values: EventFormValues }) {
  const { t } = useTranslation('events');
  const [from, to] = [parseTime(values.startTime), parseTime(values.endTime)];
  if (!from || !to) return <Missing words={t('summary.timeMissing')} />;
  return t('summary.time', { from, to, city: cityWords(values.timeZone) });
}

function PriceWords({ values, language }: { values: EventFormValues; language: Language }) {
  const { t } = useTranslation('events');
  const price = parsePrice(values.price, values.currency, language);
  if (price === null) return <Missing words={t('summary.priceMissing')} />;
  if (Number(price) === 0) return t('summary.free');
  return t('summary.perPerson', { price: formatPrice(price, values.currency, language) });
}

function Dates({ values, language, clashes, datesMax }: Required<FactsProps>) {
  const { t } = useTranslation('events');
  const occurrences = occurrencesOf(values);
  const rule = ruleOf(values);
  return (
    <>
      <div className={styles.datesHead}>
        <span className={styles.datesCount}>
          <DatesCount count={occurrences.length} places={placesOf(values)} />
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

function DatesCount({ count, places }: { count: number; places: ReturnType<typeof placesOf> }) {
  const { t } = useTranslation('events');
  if (count === 0) return <Missing words={t('summary.datesMissing')} />;
  const dates = t('summary.dates', { count });
  if (typeof places !== 'number' || count === 1) return dates;
  return `${dates}, ${t('summary.allPlaces', { count: places * count })}`;
}
