/** Cancel event (dialog 3): days, repetition, who gets a letter, the reason. Then the letters go out and the event is hidden. */
import { Button, Modal, Skeleton, Textarea } from '@mantine/core';
import { IconAlertCircle, IconCalendar, IconCircleCheck, IconMail, IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { faultText, problemText } from '../../platform/i18n/faults.ts';
import { NO_LANDMARK } from './dialogs.ts';
import { cancelEvent, deleteEvent, findBookings, getMyEvent, type OneEvent } from './events.api.ts';
import { formatDays } from './events.format.ts';
import { REASON_MAX } from '@fieldroom/contract/events.rules';
import { useLoaded } from './useLoaded.ts';
import styles from './dialogs.module.css';

export interface CancelEventDialogProps {
  eventId: number | null;
  onClose(): void;
  /** Everything is done and the dialog has closed by itself. In: how many people get a letter. */
  onCancelled(letters: number): void;
}

export function CancelEventDialog({ eventId, onClose, onCancelled }: CancelEventDialogProps) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  const [busy, setBusy] = useState(false);
  const one = useLoaded(eventId, async (signal) => {
    const [event, bookings] = await Promise.all([getMyEvent(eventId as number, signal), findBookings(eventId as number, signal)]);
    return { ...event, names: bookings.map(({ participant }) => `${participant.name} ${participant.familyName}`.trim()) };
  });
  return (
    <Modal opened={eventId !== null} onClose={onClose} size={700} title={t('cancel.title')} closeOnClickOutside={false} closeOnEscape={!busy} attributes={NO_LANDMARK} closeButtonProps={{ 'aria-label': tc('close'), disabled: busy }} classNames={{ content: styles.content ?? '', body: styles.body ?? '' }}>
      {one.problem ? (
        <>
          <p className={styles.note} data-tone="fault" role="alert"><IconAlertCircle size={20} stroke={1.75} aria-hidden />{problemText(sayProblem, one.problem)}</p>
          <div className={styles.acts}><Button variant="default" onClick={one.again}>{tc('tryAgain')}</Button></div>
        </>
      ) : one.data && !one.busy ? (
        <CancelForm key={one.data.event.id} one={one.data} onBusy={setBusy} onClose={onClose} onCancelled={onCancelled} />
      ) : (
        <div role="status" aria-busy="true" aria-label={tc('loading')}><Skeleton height={96} radius={12} /><Skeleton height={140} radius={12} mt={16} /></div>
      )}
    </Modal>
  );
}

interface CancelFormProps {
  one: OneEvent & { names: readonly string[] };
  onBusy(busy: boolean): void;
  onClose(): void;
  onCancelled(letters: number): void;
}

const NAMES_SHOWN = 8;

function CancelForm({ one: { event, series, names }, onBusy, onClose, onCancelled }: CancelFormProps) {
  const { t } = useTranslation('my-events');
  const language = currentLanguage();
  const [reason, setReason] = useState('');
  const [touched, setTouched] = useState(false);
  const [later, setLater] = useState(false);
  const [messageSent, setMessageSent] = useState(false);
  /** The letters are on their way; only hiding the event is left, and a second try does not write to anybody again. */
  const [cancelled, setCancelled] = useState(event.status === 'CANCELLED');
  const [problem, setProblem] = useState<unknown>(null);

  const following = series.filter(({ id, startsOn }) => id !== event.id && Date.parse(startsOn) > Date.parse(event.startsOn));
  const letters = event.held + event.confirmed + (later ? following.reduce((sum, one) => sum + one.held + one.confirmed, 0) : 0);
  const missing = reason.trim() === '';

  const send = async () => {
    setTouched(true);
    if (missing || messageSent) return;
    setProblem(null);
    setMessageSent(true);
    onBusy(true);
    try {
      if (!cancelled) {
        await cancelEvent({ eventId: event.id, reason, cancelRepetitions: later });
        setCancelled(true);
      }
      await deleteEvent(event.id, later);
      onBusy(false);
      onCancelled(letters);
      onClose();
    } catch (fault) {
      onBusy(false);
      setMessageSent(false);
      setProblem(fault);
    }
  };

  return (
    <form
      className={styles.body}
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void send();
      }}
    >
      <div className={styles.scroll}>
        <p className={styles.line}>{event.eventName}</p>
        <ul className={styles.facts}>
          <li><IconCalendar size={20} stroke={1.75} aria-hidden /><span>{formatDays(event.dates, language)}<small>{t('times', { from: event.startTime, to: event.endTime })}</small></span></li>
          <li><IconRepeat size={20} stroke={1.75} aria-hidden /><span>{following.length > 0 ? t('cancel.repeats', { count: following.length }) : event.repetitions.length > 0 ? t('cancel.lastOfSeries') : t('cancel.once')}</span></li>
        </ul>
        {following.length > 0 ? (
          <fieldset className={styles.scope} disabled={messageSent || cancelled}>
            <legend>{t('cancel.scope')}</legend>
            <label><input type="radio" name="cancel-scope" checked={!later} onChange={() => setLater(false)} /><span>{t('cancel.this')}</span></label>
            <label><input type="radio" name="cancel-scope" checked={later} onChange={() => setLater(true)} /><span>{t('cancel.later', { count: following.length })}</span></label>
          </fieldset>
        ) : null}
        <Textarea label={t('cancel.reason')} description={t('cancel.reasonHint')} withAsterisk required autosize minRows={5} maxRows={20} maxLength={REASON_MAX} data-autofocus value={reason} disabled={messageSent || cancelled} onChange={(typed) => setReason(typed.currentTarget.value)} onBlur={() => setTouched(true)} error={touched && missing ? faultText(sayProblem, 'reason', 'required') : null} />
        <div className={styles.note}>
          <IconMail size={20} stroke={1.75} aria-hidden />
          <div>
            {letters === 0 ? t('cancel.lettersNone') : t('cancel.letters', { count: letters })}
            {names.length > 0 ? <p className={styles.people}>{new Intl.ListFormat(language).format([...names.slice(0, NAMES_SHOWN), ...(letters > Math.min(names.length, NAMES_SHOWN) ? [t('cancel.others', { count: letters - Math.min(names.length, NAMES_SHOWN) })] : [])])}</p> : null}
          </div>
        </div>
      </div>
      <div role="status">
        {messageSent ? <p className={styles.note}><IconCircleCheck size={20} stroke={1.75} aria-hidden />{t('cancel.sent')}</p> : null}
        {problem ? <p className={styles.note} data-tone="fault"><IconAlertCircle size={20} stroke={1.75} aria-hidden /><span>{cancelled ? `${t('cancel.hideFailed')} ` : ''}{problemText(sayProblem, problem)}</span></p> : null}
      </div>
      <div className={styles.acts}>
        <Button variant="default" disabled={messageSent} onClick={onClose}>{t('cancel.keep')}</Button>
        <Button type="submit" color="danger" disabled={missing || messageSent} loading={messageSent}>{cancelled ? t('cancel.again') : t('cancel.ok')}</Button>
      </div>
    </form>
  );
}
