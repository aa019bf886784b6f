/**
 * The dialogs of the therapist's room: end the session, reset or empty the field, constellations, own icons, keys, a
 * picture of the field.
 */
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyConstellationsDialog } from '../../../constellations/index.ts';
import { type FieldGround, LazyIconsDialog, LazySavePictureDialog, shownOf } from '../../../field/index.ts';
import { LazyKeysDialog, LazyQuestion } from '../../dialogs/lazyDialogs.tsx';
import { type TherapistRoomState, useSelected } from '../useTherapistRoom.ts';

interface TherapistDialogsProps {
  state: TherapistRoomState;
  /** Ends the live session. */
  onEnd(): Promise<void>;
  /** Gazes are drawn on the field. */
  gazes: boolean;
  /** The background; null while it is not known. */
  ground: FieldGround | null;
}

/** Draws the dialog that `state.dialog` names. Each is fetched with its first opening. */
export function TherapistDialogs({ state, onEnd, gazes, ground }: TherapistDialogsProps) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const { store, dialog, setDialog, foundIcon, library, selection, toast, attempt, resetField, clearField } = state;
  const { selectedId } = useSelected(selection);
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
      <LazyQuestion
        opened={dialog === 'clear'}
        title={tf('clear.title')}
        text={tf('clear.text')}
        yes={tf('clear.confirm')}
        no={tf('clear.cancel')}
        onNo={close}
        onYes={clearField}
      />
      <LazyConstellationsDialog
        opened={dialog === 'constellations'}
        ground={ground}
        onClose={close}
        onLoaded={state.tellLoaded}
        onNews={state.onConstellationNews}
      />
      <LazyIconsDialog
        opened={dialog === 'icons'}
        library={library}
        foundId={foundIcon}
        chosenId={selectedId}
        onClose={close}
        onTold={(text) => toast.tell({ text, tone: 'done' })}
      />
      <LazyKeysDialog opened={dialog === 'keys'} onClose={close} />
      <LazySavePictureDialog opened={dialog === 'picture'} onClose={close} takeMoment={fieldNow} ground={ground} />
    </>
  );
}
