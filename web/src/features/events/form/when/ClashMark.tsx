import type { Language } from '@fieldroom/contract/text';
import { useTranslation } from 'react-i18next';
import { formatDay } from '../../formatting.ts';
import type { Clash } from './clashes.ts';
import styles from '../EventForm.module.css';

/** The clash of a date: "Evening circle on the 6th". */
export function ClashMark({ clash, language, several }: { clash: Clash; language: Language; several: boolean }) {
  const { t } = useTranslation('events');
  const day = formatDay(clash.day, language, { day: 'numeric', month: 'short' });
  const text =
    clash.eventName === null
      ? t('form.clashSelf')
      : several
        ? t('form.clashOn', { name: clash.eventName, day })
        : t('form.clash', { name: clash.eventName });
  return (
    <span className={styles.clash}>
      {clash.eventName === null ? null : <span>{t('form.clashLabel')} </span>}
      <span>{text}</span>
    </span>
  );
}
