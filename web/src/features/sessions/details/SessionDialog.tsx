/** One live session: when it was, who was there, the field at its end, and the email about it. */
import { THERAPIST_ROOM } from '@fieldroom/contract/pages';
import type { LiveSessionDetails } from '@fieldroom/contract/sessions';
import { Button, Skeleton } from '@mantine/core';
import { IconHistory, IconPhotoDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { useOwnGround } from '../../design/index.ts';
import { type FieldGround, FieldStill, LazySavePictureDialog } from '../../field/picture/index.ts';
import { LazySessionLookBack } from '../../moments/replay/index.ts';
import { sessionQueries } from '../sessionQueries.ts';
import { durationWords, endWords, momentWords, spanWords, timeWords } from '../sessionWords.ts';
import { SendByEmail } from './SendByEmail.tsx';
import styles from './SessionDialog.module.css';

export interface SessionDialogProps {
  opened: boolean;
  /** null while it is closed. */
  id: number | null;
  onClose(): void;
}

/**
 * For an ended session it has the picture of the field, the look back and the email; for a running one the way back to
 * the room. Another person's id is reported as not found (docs/product.md#12.2).
 */
export function SessionDialog({ opened, id, onClose }: SessionDialogProps) {
  const { t } = useTranslation('sessions');
  const { t: tc } = useTranslation('common');
  const { data, error, refetch } = useQuery({ ...sessionQueries.one(id ?? 0), enabled: id !== null });
  const ground = useOwnGround();
  const [picturing, setPicturing] = useState(false);
  const title = data
    ? momentWords(data.startedOn, currentLanguage(), {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        year: 'numeric',
      })
    : t('details.title');
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size={800}
      title={title}
      close={tc('close')}
      closeOnClickOutside
      // Escape closes only the topmost dialog.
      busy={picturing}
    >
      {error ? (
        <LoadFault
          text={`${t('details.failed')} ${problemText(sayProblem, error)}`}
          retry={tc('tryAgain')}
          onRetry={() => void refetch()}
        />
      ) : null}
      {data === null && !error ? <p className={dialog.question}>{t('details.notFound')}</p> : null}
      {data === undefined && !error ? <Bones /> : null}
      {data && !error ? (
        <Details key={data.id} session={data} ground={ground} onPicture={() => setPicturing(true)} />
      ) : null}
      {data?.field ? (
        <FieldPictureDialog
          opened={picturing}
          session={data}
          field={data.field}
          ground={ground}
          onClose={() => setPicturing(false)}
        />
      ) : null}
    </Dialog>
  );
}

function Bones() {
  const { t: tc } = useTranslation('common');
  return (
    <div role="status" aria-busy="true" aria-label={tc('loading')} className={styles.bones}>
      <Skeleton height={20} width="60%" radius={8} />
      <Skeleton height={340} radius={20} />
      <Skeleton height={20} radius={8} />
      <Skeleton height={20} radius={8} />
    </div>
  );
}

interface FieldPictureDialogProps {
  opened: boolean;
  session: LiveSessionDetails;
  field: NonNullable<LiveSessionDetails['field']>;
  ground: FieldGround | null;
  onClose(): void;
}

/** Saves the field at the end, under the day on which the live session started. */
function FieldPictureDialog({ opened, session, field, ground, onClose }: FieldPictureDialogProps) {
  const { startedOn } = session;
  const fieldThen = () => ({ figures: field.figures, at: new Date(startedOn), gazes: true });
  return <LazySavePictureDialog opened={opened} onClose={onClose} takeMoment={fieldThen} ground={ground} />;
}

interface DetailsProps {
  session: LiveSessionDetails;
  ground: FieldGround | null;
  /** Saves a picture of the field. */
  onPicture(): void;
}

function Details({ session, ground, onPicture }: DetailsProps) {
  const { t } = useTranslation('sessions');
  const language = currentLanguage();
  const running = session.endedOn === null;
  const facts = [
    spanWords(t, session, language),
    t('details.counted', { duration: durationWords(t, session.countedSeconds) }),
    endWords(t, session),
  ];
  return (
    <>
      <p className={dialog.line}>{facts.join(' · ')}</p>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div className={dialog.scroll} tabIndex={0} role="group" aria-label={t('details.title')}>
        <FieldAtEnd session={session} ground={ground} onPicture={onPicture} />
        {running ? null : <LookBack session={session} />}
        <Attendance session={session} />
        {running ? null : <SendByEmail sessionId={session.id} />}
      </div>
      {running ? (
        <div className={dialog.acts}>
          <p>{t('details.running')}</p>
          <Button component={Link} to={THERAPIST_ROOM}>
            {t('details.back')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** The field at the end, on the therapist's current background. */
function FieldAtEnd({ session: { field, endedOn }, ground, onPicture }: DetailsProps) {
  const { t } = useTranslation('sessions');
  if (endedOn === null) return null;
  return (
    <section className={styles.part}>
      <h3>{t('details.field')}</h3>
      {field === null || field.figures.length === 0 ? (
        <p>{t(field === null ? 'details.noField' : 'details.emptyField')}</p>
      ) : (
        <>
          <div className={styles.picture}>
            <FieldStill
              figures={field.figures}
              label={t('details.fieldLabel', { count: field.figures.length })}
              names
              described
              ground={ground}
            />
          </div>
          <Button
            mt={12}
            variant="default"
            leftSection={<IconPhotoDown size={20} stroke={1.75} aria-hidden />}
            onClick={onPicture}
          >
            {t('details.picture')}
          </Button>
        </>
      )}
    </section>
  );
}

/** The look back at the field; loaded on demand, because few people open it. */
function LookBack({ session: { id } }: { session: LiveSessionDetails }) {
  const { t } = useTranslation('sessions');
  const ground = useOwnGround();
  const [opened, setOpened] = useState(false);
  return (
    <section className={styles.part}>
      <h3>{t('details.lookBack')}</h3>
      {opened ? (
        <LazySessionLookBack sessionId={id} ground={ground} onFailed={() => setOpened(false)} />
      ) : (
        <Button
          variant="default"
          leftSection={<IconHistory size={18} stroke={1.75} aria-hidden />}
          onClick={() => setOpened(true)}
        >
          {t('details.lookBackOpen')}
        </Button>
      )}
    </section>
  );
}

function Attendance({ session: { attendance } }: { session: LiveSessionDetails }) {
  const { t } = useTranslation('sessions');
  const language = currentLanguage();
  return (
    <section className={styles.part}>
      <h3>{t('details.attendance')}</h3>
      {attendance.length === 0 ? (
        <p>{t('details.nobody')}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('details.name')}</th>
              <th scope="col">{t('details.from')}</th>
              <th scope="col">{t('details.to')}</th>
            </tr>
          </thead>
          <tbody>
            {attendance.map(({ name, joinedOn, leftOn }) => (
              <tr key={`${name} ${joinedOn}`}>
                <th scope="row">{name}</th>
                <td>{timeWords(joinedOn, language)}</td>
                <td>{leftOn === null ? t('details.there') : timeWords(leftOn, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
