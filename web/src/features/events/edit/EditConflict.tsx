/** An event was changed elsewhere while it was being edited: the differences, and the choice of a version. */
import type { Language } from '@fieldroom/contract/text';
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Callout } from '../../../ui/states/Callout.tsx';
import { changedParts, type EventFormValues, type EventPart } from '../form/formValues.ts';
import { formatDays, formatPrice, parsePrice, parseTime } from '../formatting.ts';
import { EmailsAhead } from './EmailsAhead.tsx';
import type { Announcement } from './useAnnouncement.ts';
import { cityWords, type Say, typeWords } from '../eventWords.ts';
import styles from './EditConflict.module.css';

const LABELS = {
  eventName: 'form.name',
  description: 'form.description',
  kind: 'form.type',
  place: 'form.where',
  days: 'form.days',
  times: 'conflict.times',
  price: 'form.price',
  picture: 'picture.title',
} as const satisfies Record<EventPart, string>;
/** A long description is shortened to its beginning. */
const CHARACTERS_SHOWN = 160;

function partWords(t: Say, part: EventPart, values: EventFormValues, language: Language): string {
  switch (part) {
    case 'kind':
      return values.type === 'ONE_ON_ONE'
        ? typeWords(t, values.type)
        : `${typeWords(t, values.type)}, ${values.maximumParticipant}`;
    case 'place':
      return values.isOnline ? t('place.online') : [values.eventLocation, values.address].filter(Boolean).join(', ');
    case 'days':
      return formatDays(values.dates, language);
    case 'times':
      return t('summary.time', {
        from: parseTime(values.startTime) ?? values.startTime,
        to: parseTime(values.endTime) ?? values.endTime,
        city: cityWords(values.timeZone),
      });
    case 'price': {
      const price = parsePrice(values.price, values.currency, language);
      return price === null ? values.price : formatPrice(price, values.currency, language);
    }
    case 'picture':
      return t(values.picture.kind === 'none' ? 'conflict.noPicture' : 'conflict.picture');
    default: {
      const text = values[part].trim();
      return text.length > CHARACTERS_SHOWN ? `${text.slice(0, CHARACTERS_SHOWN)} …` : text || t('conflict.nothing');
    }
  }
}

export interface EditConflictProps {
  /** The event as opened, the current one, and the typed one. */
  before: EventFormValues;
  newer: EventFormValues;
  typed: EventFormValues;
  /** Who would get an email if this version were stored; null if it moves nobody. */
  announcement: Announcement | null;
  again: boolean;
  saving: boolean;
  /** Why storing it failed, in words. */
  fault: string | null;
  onTake(): void;
  onKeep(): void;
}

/**
 * Replaces the edit form if there was a newer version at the save. Lists what others changed, before and now, and where
 * the person typed something else for the same part. "Take" discards the typed changes; "keep" stores them over the
 * newer version.
 */
export function EditConflict({
  before,
  newer,
  typed,
  announcement,
  again,
  saving,
  fault,
  onTake,
  onKeep,
}: EditConflictProps) {
  const { t } = useTranslation('events');
  const language = currentLanguage();
  const theirs = changedParts(before, newer);
  const mine = new Set(changedParts(before, typed));
  const collide = new Set(changedParts(newer, typed));
  // The form that had the focus is gone, so its replacement is focused and read out.
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className={dialog.body}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div className={dialog.scroll} tabIndex={0} role="group" aria-labelledby="conflict-title">
        <h3 ref={title} tabIndex={-1} id="conflict-title" className={styles.title}>
          {t('conflict.title')}
        </h3>
        <p className={styles.text}>{t('conflict.text')}</p>
        {theirs.length === 0 ? (
          <p className={styles.text}>{t('conflict.later')}</p>
        ) : (
          <dl className={styles.parts} aria-label={t('conflict.list')}>
            {theirs.map((part) => (
              <div key={part}>
                <dt>{t(LABELS[part])}</dt>
                <dd className={styles.before}>
                  {t('conflict.before', { value: partWords(t, part, before, language) })}
                </dd>
                <dd>{t('conflict.now', { value: partWords(t, part, newer, language) })}</dd>
                {mine.has(part) && collide.has(part) ? (
                  <dd className={styles.mine}>{t('conflict.mine', { value: partWords(t, part, typed, language) })}</dd>
                ) : null}
              </div>
            ))}
          </dl>
        )}
        <p className={styles.text}>{t('conflict.keepHint')}</p>
      </div>
      <div className={dialog.words} role="status">
        {announcement ? <EmailsAhead announcement={announcement} again={again} /> : null}
        {fault === null ? null : <Callout tone="fault">{fault}</Callout>}
      </div>
      <div className={dialog.acts}>
        <Button variant="default" disabled={saving} data-autofocus onClick={onTake}>
          {t('conflict.take')}
        </Button>
        <Button loading={saving} onClick={onKeep}>
          {t('conflict.keep')}
        </Button>
      </div>
    </div>
  );
}
