/** The look back in the room: a separate view over the live field, which continues behind it. */
import type { Moment } from '@fieldroom/contract/moments';
import { useTranslation } from 'react-i18next';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import type { FieldGround } from '../../field/picture/index.ts';
import { ReplayView } from './ReplayView.tsx';

interface LookBackDialogProps {
  opened: boolean;
  sessionId: number;
  /** The initial moment; by default the start. */
  from: Moment | null;
  /** The field's revision while the live session runs. */
  revision?: number;
  ground: FieldGround | null;
  onClose(): void;
}

/**
 * Draws the view only while it is open, so each opening starts from the beginning. Without `revision` the field is that
 * of a past session.
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
