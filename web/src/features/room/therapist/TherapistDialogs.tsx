/** The dialogs of the therapist's room: end the session, reset the field, own icons, keys, a picture of the field. */
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FieldGround, LazyIconsDialog, LazyPictureDialog, shownOf } from '../../field/index.ts';
import { LazyKeysDialog, LazyQuestion } from '../parts/lazyDialogs.tsx';
import type { TherapistRoomState } from './useTherapistRoom.ts';

interface TherapistDialogsProps {
  state: TherapistRoomState;
  /** Ends the live session. */
  onEnd(): Promise<void>;
  /** Gazes are drawn on the field. */
  gazes: boolean;
  ground: FieldGround | null;
}

export function TherapistDialogs({ state, onEnd, gazes, ground }: TherapistDialogsProps) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const { store, dialog, setDialog, library, selection, toast, attempt, resetField } = state;
  const [ending, setEnding] = useState(false);
  const close = () => setDialog(null);
  const fieldNow = useCallback(() => ({ figures: shownOf(store.get()), at: new Date(), gazes }), [store, gazes]);
  const end = async () => {
    setEnding(true);
    await attempt(onEnd);
    setEnding(false);
    close();
  };
  return (
    <>
      <LazyQuestion
        opened={dialog === 'end'}
        title={t('end.title')}
        text={t('end.text')}
        yes={t('end.confirm')}
        no={t('end.cancel')}
        danger
        busy={ending}
        onNo={close}
        onYes={() => void end()}
      />
      <LazyQuestion
        opened={dialog === 'reset'}
        title={tf('reset.title')}
        text={tf('reset.text')}
        yes={tf('reset.confirm')}
        no={tf('reset.cancel')}
        onNo={close}
        onYes={resetField}
      />
      <LazyIconsDialog
        opened={dialog === 'icons'}
        library={library}
        chosenId={selection.selectedId}
        onClose={close}
        onTold={(text) => toast.tell({ text, tone: 'done' })}
      />
      <LazyKeysDialog opened={dialog === 'keys'} onClose={close} />
      <LazyPictureDialog opened={dialog === 'picture'} onClose={close} takeMoment={fieldNow} ground={ground} />
    </>
  );
}
