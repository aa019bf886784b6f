/** The form of an edit: which occurrences, the picture, the fields, and the effects of a save. */
import { Button } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Callout } from '../../../ui/states/Callout.tsx';
import { RadioList } from '../../../ui/controls/choices/RadioList.tsx';
import type { OneEvent } from '../eventsApi.ts';
import { ClashMark } from '../form/when/ClashMark.tsx';
import { EventForm } from '../form/EventForm.tsx';
import { clashesIn } from '../form/when/clashes.ts';
import { type Edit, occurrencesOf } from '../form/formValues.ts';
import { countFaults } from '../form/useEventForm.ts';
import { PictureField } from '../picture/PictureField.tsx';
import { UploadProgress } from '../picture/UploadProgress.tsx';
import { faultWords } from '../eventWords.ts';
import { EditConflict } from './EditConflict.tsx';
import { EmailsAhead } from './EmailsAhead.tsx';
import { type EventEdit, type UndoSave, useEditHelp, useEventEdit } from './useEventEdit.ts';
import styles from './EventEditDialog.module.css';

export interface EditFormProps {
  /** The event as it was opened; useEventEdit handles later changes. */
  opened: OneEvent;
  now: number;
  onBusy(busy: boolean): void;
  onChanged(changed: boolean): void;
  /** Closes; asks first if something was changed. */
  onLeave(): void;
  /** Closes at once. */
  onClose(): void;
  onSaved(emails: number, undo: UndoSave | null): void;
}

/** The content of the edit dialog. Replaced by `EditConflict` if there is a newer version. */
export function EditForm({ opened, now, onBusy, onChanged, onLeave, onClose, onSaved }: EditFormProps) {
  const box = useRef<HTMLFormElement>(null);
  const edit = useEventEdit({ opened, now, box, onBusy, onClose, onSaved });
  const { changed } = edit;
  useEffect(() => {
    onChanged(changed);
    return () => onChanged(false);
  }, [changed, onChanged]);
  // After a conflict the form is mounted again, without the button that had the focus.
  const asked = edit.conflict !== null;
  const wasAsked = useRef(false);
  useEffect(() => {
    if (wasAsked.current && !asked) box.current?.querySelector<HTMLElement>('input:not([type=hidden])')?.focus();
    wasAsked.current = asked;
  }, [asked]);
  if (edit.conflict) {
    const { conflict, problem } = edit;
    return (
      <EditConflict
        before={conflict.before}
        newer={conflict.newer}
        typed={conflict.typed}
        announcement={edit.announcement}
        again={edit.again}
        saving={edit.saving}
        fault={problem ? problemText(sayProblem, problem) : null}
        onTake={conflict.take}
        onKeep={conflict.keep}
      />
    );
  }
  return (
    <form ref={box} className={dialog.body} noValidate onSubmit={edit.save}>
      <Fields edit={edit} now={now} />
      <EditWords edit={edit} />
      {edit.upload ? <UploadProgress {...edit.upload} onStop={() => edit.upload?.stop.abort()} /> : null}
      <EditActs edit={edit} onLeave={onLeave} />
    </form>
  );
}

function Fields({ edit, now }: { edit: EventEdit; now: number }) {
  const { t } = useTranslation('events');
  const help = useEditHelp();
  const { form, values, alone, later, scope, saving, stored } = edit;
  const refused = form.formState.errors.picture as { message?: string } | undefined;
  const pictureFault = faultWords(t, 'picture', refused?.message);
  const { event } = edit.base;
  const changed = new Set(scope === 'later' ? later.map(({ id }) => id) : [event.id]);
  const others = help.upcoming.filter((other) => other.status === 'PUBLISHED' && !changed.has(other.id));
  const { clashes, clashing, marked } = clashesIn(values, alone ? occurrencesOf(values) : [values.dates], others);
  return (
    <div className={`${dialog.scroll} ${styles.form}`}>
      {later.length > 1 ? <ScopeQuestion edit={edit} /> : null}
      <div className={styles.picture}>
        <PictureField
          picture={values.picture}
          seed={event.seriesId}
          earlier={help.pictures}
          disabled={saving}
          onPick={(picture) => {
            form.clearErrors('picture');
            form.setValue('picture', picture, { shouldDirty: true });
          }}
        />
      </div>
      {pictureFault ? <p className="mantine-InputWrapper-error">{pictureFault}</p> : null}
      {edit.pictureChanges && later.length > 1 ? (
        <p className={styles.hint} role="status">
          {scope === 'later' ? t('edit.pictureLater', { count: later.length - 1 }) : t('edit.pictureThis')}
        </p>
      ) : null}
      <EventForm
        form={form}
        mode="edit"
        now={now}
        clashes={clashes}
        marked={marked}
        clashing={clashing}
        names={help.names}
        addresses={help.addresses}
        locations={help.locations}
        taken={Math.max(...(scope === 'later' ? later : [event]).map((one) => one.held + one.confirmed), 0)}
        repeatable={alone}
        disabled={saving || stored}
      />
      {!alone && clashes[0] ? (
        <p className={styles.hint}>
          <ClashMark clash={clashes[0]} language={currentLanguage()} several={values.dates.length > 1} />
        </p>
      ) : null}
    </div>
  );
}

/** Only for this occurrence, or for the later ones too. */
function ScopeQuestion({ edit: { later, scope, setScope, saving, stored } }: { edit: EventEdit }) {
  const { t } = useTranslation('events');
  return (
    <RadioList<Edit['scope']>
      question={t('edit.scope')}
      answers={[
        { value: 'this', words: t('edit.this') },
        { value: 'later', words: t('edit.later', { count: later.length - 1 }) },
      ]}
      value={scope}
      onChange={setScope}
      disabled={saving || stored}
      hint={scope === 'later' ? t('edit.laterHint') : null}
    />
  );
}

/** The messages below the fields: who gets an email, faults, problems. */
function EditWords({ edit }: { edit: EventEdit }) {
  const { t } = useTranslation('events');
  const { errors, isSubmitted } = edit.form.formState;
  const faults = countFaults(errors);
  return (
    <div className={dialog.words} role="status">
      {edit.taken ? <Callout>{t('conflict.taken')}</Callout> : null}
      {edit.announcement ? <EmailsAhead announcement={edit.announcement} again={edit.again} /> : null}
      {isSubmitted && faults > 0 ? <Callout tone="fault">{t('form.faults', { count: faults })}</Callout> : null}
      {edit.stopped ? <Callout icon={IconPhotoOff}>{t('edit.pictureStopped')}</Callout> : null}
      {edit.problem ? (
        <Callout tone="fault">
          {edit.stored ? `${t('edit.pictureFailed')} ` : ''}
          {problemText(sayProblem, edit.problem)}
        </Callout>
      ) : null}
    </div>
  );
}

function EditActs({ edit, onLeave }: { edit: EventEdit; onLeave(): void }) {
  const { t } = useTranslation('events');
  const { t: tc } = useTranslation('common');
  const pictureLeft = edit.stored && (edit.stopped || Boolean(edit.problem));
  const leave = edit.changed ? t('edit.cancel') : tc('close');
  return (
    <div className={dialog.acts}>
      <Button variant="default" disabled={edit.saving} onClick={pictureLeft ? edit.finish : onLeave}>
        {pictureLeft ? t('edit.withoutPicture') : leave}
      </Button>
      <Button type="submit" loading={edit.saving}>
        {edit.stored ? tc('tryAgain') : t('edit.save')}
      </Button>
    </div>
  );
}
