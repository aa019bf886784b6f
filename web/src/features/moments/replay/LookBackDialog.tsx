/** The look back in the room: a view of its own over the live field, which goes on behind it. */
import type { Moment } from '@fieldroom/contract/moments';
import { useTranslation } from 'react-i18next';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import type { FieldGround } from '../../field/picture/index.ts';
import { ReplayView } from './ReplayView.tsx';

interface LookBackDialogProps {
  opened: boolean;
  sessionId: number;
  /** Begins at this moment, else at the start. */
  from: Moment | null;
  /** The field's revision while the live session runs. */
  revision?: number;
  ground: FieldGround | null;
  onClose(): void;
}

/**
 * Draws the view only while it is opened, so each opening begins afresh. Without `revision` the field is that of a
 * session that is over.
 */
export function LookBackDialog({ opened, sessionId, from, revision, ground, onClose }: LookBackDialogProps) {
  const { t } = useTranslation('moments');
  const { t: tc } = useTranslation('common');
  return (
    <Dialog opened={opened} onClose={onClose} size={1000} title={t('replay.title')} close={tc('close')}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div className={dialog.scroll} tabIndex={0} role="group" aria-label={t('replay.title')}>
        {opened ? (
          <ReplayView
            key={from?.id ?? 0}
            sessionId={sessionId}
            begin={from?.afterMove ?? 'start'}
            ground={ground}
            {...(revision === undefined ? {} : { revision })}
          />
        ) : null}
      </div>
    </Dialog>
  );
}
