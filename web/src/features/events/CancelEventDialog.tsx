/** Cancel event (dialog 3): days, repetition, who gets a letter, the reason. Then the letters go out and the event is hidden. */
import { Button, Skeleton } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import dialog from '../../ui/Dialog.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import { Note } from '../../ui/Note.tsx';
import { RadioList } from '../../ui/RadioList.tsx';
import { CancelLetter } from './CancelLetter.tsx';
import { cancelEvent, deleteEvent, findBookings, getMyEvent, type OneEvent } from './events.api.ts';
import { useLoaded } from './useLoaded.ts';
import styles from './CancelDialogs.module.css';

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
    const [event, bookings] = await Promise.all([
      getMyEvent(eventId as number, signal),
      findBookings(eventId as number, signal),
    ]);
    return {
      ...event,
      names: bookings.map(({ participant }) => `${participant.name} ${participant.familyName}`.trim()),
    };
  });
  return (
    <Dialog
      opened={eventId !== null}
      onClose={onClose}
      size={700}
      title={t('cancel.title')}
      close={tc('close')}
      busy={busy}
    >
      {one.problem ? (
        <>
          <Note tone="fault" role="alert">
            {problemText(sayProblem, one.problem)}
          </Note>
          <div className={dialog.acts}>
            <Button variant="default" onClick={one.again}>
              {tc('tryAgain')}
            </Button>
          </div>
        </>
      ) : one.data && !one.busy ? (
        <CancelForm
          key={one.data.event.id}
          one={one.data}
          onBusy={setBusy}
          onClose={onClose}
          onCancelled={onCancelled}
        />
      ) : (
        <div role="status" aria-busy="true" aria-label={tc('loading')}>
          <Skeleton height={96} radius={12} />
          <Skeleton height={140} radius={12} mt={16} />
        </div>
      )}
    </Dialog>
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
  const [later, setLater] = useState(false);
  const [messageSent, setMessageSent] = useState(false);
  /** The letters are on their way; only hiding the event is left, and a second try does not write to anybody again. */
  const [cancelled, setCancelled] = useState(event.status === 'CANCELLED');
  const [problem, setProblem] = useState<unknown>(null);

  const following = series.filter(
    ({ id, startsOn }) => id !== event.id && Date.parse(startsOn) > Date.parse(event.startsOn),
  );
  const letters =
    event.held + event.confirmed + (later ? following.reduce((sum, one) => sum + one.held + one.confirmed, 0) : 0);

  const send = async () => {
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

  const others = letters - Math.min(names.length, NAMES_SHOWN);
  return (
    <CancelLetter
      event={event}
      after={
        <li>
          <IconRepeat size={20} stroke={1.75} aria-hidden />
          <span>
            {following.length > 0
              ? t('cancel.repeats', { count: following.length })
              : event.repetitions.length > 0
                ? t('cancel.lastOfSeries')
                : t('cancel.once')}
          </span>
        </li>
      }
      question={
        following.length > 0 ? (
          <div className={styles.scope}>
            <RadioList
              question={t('cancel.scope')}
              answers={[
                { value: 'this', words: t('cancel.this') },
                { value: 'later', words: t('cancel.later', { count: following.length }) },
              ]}
              value={later ? 'later' : 'this'}
              onChange={(answer) => setLater(answer === 'later')}
              disabled={messageSent || cancelled}
            />
          </div>
        ) : null
      }
      reason={reason}
      onReason={setReason}
      letter={
        <>
          {letters === 0 ? t('cancel.lettersNone') : t('cancel.letters', { count: letters })}
          {names.length > 0 ? (
            <p className={styles.people}>
              {new Intl.ListFormat(language).format([
                ...names.slice(0, NAMES_SHOWN),
                ...(others > 0 ? [t('cancel.others', { count: others })] : []),
              ])}
            </p>
          ) : null}
        </>
      }
      fixed={cancelled}
      sending={messageSent}
      fault={problem ? `${cancelled ? `${t('cancel.hideFailed')} ` : ''}${problemText(sayProblem, problem)}` : null}
      keep={t('cancel.keep')}
      ok={cancelled ? t('cancel.again') : t('cancel.ok')}
      onKeep={onClose}
      onSend={() => void send()}
    />
  );
}
