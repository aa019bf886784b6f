/** Asks before a moment is deleted or the field goes back to one, and takes a new name. */
import { deleteMoment, type Moment, MOMENT_NAME_MAX, momentName, renameMoment } from '@fieldroom/contract/moments';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { formFault } from '../../../platform/forms/formFault.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { faultText, problemText } from '../../../platform/i18n/faults.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { useMomentWords } from '../useMomentWords.ts';

export type MomentQuestion = { ask: 'rename' | 'delete' | 'goBack'; moment: Moment };

interface MomentDialogsProps {
  /** null while there is no question. */
  question: MomentQuestion | null;
  onClose(): void;
  /** A name was changed, or a moment deleted. */
  onChanged(): void;
  onGoBack?: (moment: Moment) => void;
}

/**
 * Renames and deletes on the server and then calls `onChanged`. Going back is left to the caller. A fault stays in the
 * dialog.
 */
export function MomentDialogs({ question, onClose, onChanged, onGoBack }: MomentDialogsProps) {
  const { t } = useTranslation('moments');
  // While a dialog closes it keeps its text.
  const [last, setLast] = useState(question);
  if (question !== null && question !== last) setLast(question);
  if (last === null) return null;
  const { ask, moment } = last;
  const shared = { key: `${ask} ${moment.id}`, opened: question !== null, moment, onClose };
  if (ask === 'rename') return <RenameDialog {...shared} onChanged={onChanged} />;
  if (ask === 'goBack')
    return (
      <Question
        {...shared}
        title={t('goBack.title')}
        text={t('goBack.text')}
        yes={t('goBack.confirm')}
        onYes={async () => onGoBack?.(moment)}
      />
    );
  return (
    <Question
      {...shared}
      title={t('delete.title')}
      text={t('delete.text')}
      yes={t('delete.confirm')}
      danger
      onYes={async () => {
        await api.call(deleteMoment, { params: { momentId: moment.id } });
        onChanged();
      }}
    />
  );
}

interface AskedOf {
  opened: boolean;
  moment: Moment;
  onClose(): void;
}

/** Runs one call at a time. Returns whether it is running, and the words of a fault. */
function useWork(onDone: () => void) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setFault(null);
    try {
      await work();
      onDone();
    } catch (error) {
      setFault(problemText(sayProblem, error));
    }
    setBusy(false);
  };
  return { busy, fault, run };
}

function Question({
  opened,
  moment,
  onClose,
  title,
  text,
  yes,
  danger = false,
  onYes,
}: AskedOf & { title: string; text: string; yes: string; danger?: boolean; onYes(): Promise<void> }) {
  const { t } = useTranslation('moments');
  const { t: tc } = useTranslation('common');
  const say = useMomentWords();
  const { busy, fault, run } = useWork(onClose);
  return (
    <Dialog opened={opened} onClose={onClose} size={560} title={title} close={tc('close')} busy={busy}>
      <p className={dialog.line}>{say.moment(moment)}</p>
      <p className={dialog.question}>{text}</p>
      <div className={dialog.words} aria-live="polite">
        {fault === null ? null : <Callout tone="fault">{fault}</Callout>}
      </div>
      <div className={dialog.acts}>
        <Button data-autofocus={danger || undefined} variant="default" disabled={busy} onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          data-autofocus={!danger || undefined}
          loading={busy}
          {...(danger ? { color: 'danger' } : {})}
          onClick={() => void run(onYes)}
        >
          {yes}
        </Button>
      </div>
    </Dialog>
  );
}

function RenameDialog({ opened, moment, onClose, onChanged }: AskedOf & { onChanged(): void }) {
  const { t } = useTranslation('moments');
  const { t: tc } = useTranslation('common');
  const say = useMomentWords();
  const [name, setName] = useState(moment.name ?? '');
  const { busy, fault, run } = useWork(onClose);
  const input = useRef<HTMLInputElement>(null);
  const wrong = formFault(momentName, name);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (wrong !== null) {
      input.current?.focus();
      return;
    }
    void run(async () => {
      await api.call(renameMoment, { params: { momentId: moment.id }, body: { name } });
      onChanged();
    });
  };
  return (
    <Dialog opened={opened} onClose={onClose} size={560} title={t('rename.title')} close={tc('close')} busy={busy}>
      <form onSubmit={save} noValidate>
        <TextInput
          ref={input}
          data-autofocus
          label={t('rename.label')}
          description={t('rename.hint', { name: say.moment({ ...moment, name: null }) })}
          maxLength={MOMENT_NAME_MAX}
          value={name}
          error={wrong === null ? fault : faultText(sayProblem, 'name', wrong)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className={dialog.acts}>
          <Button variant="default" disabled={busy} onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('rename.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
