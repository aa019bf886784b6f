/** The dialogs about usage: a warning with its countdown, the end after it, and two about the trial. */
import { HELP_PAGE, PACKAGE_PAGE } from '@fieldroom/contract/pages';
import {
  FEEDBACK_MAX,
  feedbackText,
  IDLE_COUNTDOWN_SECONDS,
  sendFeedbackEmail,
  stopTimer,
  TRIAL_STOP_DELAY_MS,
} from '@fieldroom/contract/usage';
import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { formFault } from '../../../platform/forms/formFault.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { hintWithLeft } from '../../../platform/i18n/charactersLeft.ts';
import { faultText, problemText } from '../../../platform/i18n/faults.ts';
import { storage } from '../../../platform/storage.ts';
import { useSinglePress } from '../../../platform/forms/useSinglePress.ts';
import dialog from '../../../ui/dialogs/dialogParts.module.css';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { minutesAndSeconds } from '../timer/timerModel.ts';
import type { OpenedDialog } from '../timer/dueDialogs.ts';
import { useEachSecond, useNow } from '../timer/useTimer.ts';
import styles from './UsageDialogs.module.css';

export interface UsageDialogProps {
  opened: boolean;
  which: OpenedDialog;
  onClose(): void;
}

/**
 * Draws the dialog that `which` names; `until` is the end of a warning's countdown. The one after the trial cannot be
 * closed (docs/product.md#7.3, 7.4).
 */
export function UsageDialog({ opened, which, onClose }: UsageDialogProps) {
  switch (which.dialog) {
    case 'timeoutwarning':
      return <TimeoutWarning opened={opened} until={which.until} onClose={onClose} />;
    case 'timedout':
      return <TimedOut opened={opened} onClose={onClose} />;
    case 'fourhours':
      return <FourHours opened={opened} onClose={onClose} />;
    case 'trialover':
      return <TrialOver opened={opened} />;
  }
}

function TimeoutWarning({ opened, until, onClose }: { opened: boolean; until: string | null; onClose(): void }) {
  const { t } = useTranslation('usage');
  const now = useNow();
  useEachSecond(opened);
  // The server started the countdown when it sent it: at that moment its clock showed this time, whatever this page
  // assumed.
  const begun = until === null ? null : new Date(Date.parse(until) - IDLE_COUNTDOWN_SECONDS * 1000).toISOString();
  const left = until === null || now === null ? null : Date.parse(until) - now(begun);
  return (
    <Modal opened={opened} onClose={onClose} title={t('warning.title')} closeButtonProps={{ 'aria-label': t('close') }}>
      <p className={styles.text}>{t('warning.text')}</p>
      {left !== null && (
        <p className={styles.countdown} role="timer" data-countdown>
          {minutesAndSeconds(left)}
        </p>
      )}
      <div className={dialog.acts}>
        <Button data-autofocus onClick={onClose}>
          {t('warning.stay')}
        </Button>
      </div>
    </Modal>
  );
}

function TimedOut({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { t } = useTranslation('usage');
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('timedOut.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <p className={styles.text}>{t('timedOut.text')}</p>
      <div className={dialog.acts}>
        <Button data-autofocus onClick={onClose}>
          {t('timedOut.understood')}
        </Button>
      </div>
    </Modal>
  );
}

function FourHours({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { t } = useTranslation('usage');
  const name = storage.get('user')?.firstName ?? '';
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={700}
      title={t('fourHours.greeting', { name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className={styles.paragraphs}>
        {(['used', 'then', 'cost', 'nothingLost'] as const).map((key) => (
          <p key={key} className={styles.text}>
            {t(`fourHours.${key}`)}
          </p>
        ))}
      </div>
      <div className={dialog.acts}>
        <Button variant="default" onClick={onClose}>
          {t('fourHours.close')}
        </Button>
        <Button component="a" href={PACKAGE_PAGE} data-autofocus>
          {t('toPackage')}
        </Button>
      </div>
    </Modal>
  );
}

/** Cannot be closed: the room is closed until the registration is complete. */
function TrialOver({ opened }: { opened: boolean }) {
  const { t } = useTranslation('usage');
  useEffect(() => {
    const userId = storage.get('user')?.id;
    if (!opened || userId === undefined) return undefined;
    // The server has stopped it already; other programs expect this call.
    const timer = setTimeout(() => {
      void api.call(stopTimer, { params: { userId } }).catch(() => undefined);
    }, TRIAL_STOP_DELAY_MS);
    return () => clearTimeout(timer);
  }, [opened]);
  return (
    <Modal
      opened={opened}
      onClose={() => undefined}
      size={700}
      title={t('trialOver.title')}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <div className={styles.paragraphs}>
        <p className={styles.text}>{t('trialOver.text')}</p>
        <p className={styles.text}>{t('trialOver.kept')}</p>
      </div>
      <div className={dialog.acts}>
        <Button component="a" href={HELP_PAGE} variant="default">
          {t('trialOver.help')}
        </Button>
        <Button component="a" href={PACKAGE_PAGE} data-autofocus>
          {t('toPackage')}
        </Button>
      </div>
      <Feedback />
    </Modal>
  );
}

type FeedbackState = { kind: 'writing' } | { kind: 'sending' } | { kind: 'sent' } | { kind: 'failed'; fault: unknown };

/** Why somebody does not continue, for the operator. */
function Feedback() {
  const { t } = useTranslation('usage');
  const [text, setText] = useState('');
  const [state, setState] = useState<FeedbackState>({ kind: 'writing' });
  const id = useId();
  const user = storage.get('user');
  const fault = formFault(feedbackText, text);
  const send = useSinglePress(async () => {
    if (user === null || fault !== null || state.kind === 'sent') return;
    setState({ kind: 'sending' });
    const username = `${user.firstName} ${user.lastName}`.trim();
    try {
      await api.call(sendFeedbackEmail, { body: { email: user.email, username, text } });
      setState({ kind: 'sent' });
    } catch (refused) {
      setState({ kind: 'failed', fault: refused });
    }
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <form className={styles.feedback} onSubmit={onSubmit} noValidate>
      <Textarea
        id={id}
        label={t('feedback.label')}
        description={hintWithLeft(sayProblem, t('feedback.hint'), text, FEEDBACK_MAX)}
        required
        autosize
        minRows={5}
        maxRows={20}
        maxLength={FEEDBACK_MAX}
        value={text}
        readOnly={state.kind === 'sending' || state.kind === 'sent'}
        error={fault === null || fault === 'required' ? null : faultText(sayProblem, 'text', fault)}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Told state={state}>{state.kind === 'failed' && problemText(sayProblem, state.fault)}</Told>
      <div className={dialog.acts}>
        <Button
          type="submit"
          variant="default"
          loading={state.kind === 'sending'}
          disabled={fault !== null || state.kind === 'sent'}
        >
          {t('feedback.send')}
        </Button>
      </div>
    </form>
  );
}

function Told({ state, children }: { state: FeedbackState; children: ReactNode }) {
  const { t } = useTranslation('usage');
  return (
    <p className={styles.told} role="status" data-tone={state.kind === 'failed' ? 'fault' : undefined}>
      {state.kind === 'sent' ? t('feedback.thanks') : children}
    </p>
  );
}
