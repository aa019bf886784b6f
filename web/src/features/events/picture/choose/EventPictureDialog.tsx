/** Chooses the event's picture: a new one, cropped to the frame by hand or keys, or one of the earlier ones. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import dialog from '../../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx';
import type { EarlierPicture } from '../../eventsApi.ts';
import { OwnPicture } from '../OwnPicture.tsx';
import { ChooseAndCrop } from './ChooseAndCrop.tsx';
import type { Picture } from './chosenPicture.ts';
import styles from './EventPictureDialog.module.css';

export interface EventPictureDialogProps {
  opened: boolean;
  onClose(): void;
  picture: Picture;
  onPick(picture: Picture): void;
  earlier: readonly EarlierPicture[];
}

/**
 * `earlier` are pictures of the therapist's other events (docs/product.md#9.18). Picking one closes the dialog. While
 * something is being cropped, a press beside the dialog does not close it.
 */
export function EventPictureDialog({ opened, onClose, picture, onPick, earlier }: EventPictureDialogProps) {
  const { t } = useTranslation('events');
  const { t: tc } = useTranslation('common');
  const [cropping, setCropping] = useState(false);
  const pick = (picked: Picture) => {
    setCropping(false);
    onPick(picked);
    onClose();
  };

  return (
    <Dialog
      opened={opened}
      onClose={() => {
        setCropping(false);
        onClose();
      }}
      size={700}
      title={t('picture.title')}
      close={tc('close')}
      closeOnClickOutside={!cropping}
    >
      <ChooseAndCrop hint={t('picture.hint')} cropHint={t('picture.cutHint')} onCropping={setCropping} onCropped={pick}>
        {earlier.length > 0 ? <EarlierPictures earlier={earlier} picture={picture} onPick={pick} /> : null}
        {picture.kind === 'none' ? null : (
          <div className={dialog.acts}>
            <Button variant="default" onClick={() => pick({ kind: 'none' })}>
              {t('picture.none')}
            </Button>
          </div>
        )}
      </ChooseAndCrop>
    </Dialog>
  );
}

interface EarlierPicturesProps {
  earlier: readonly EarlierPicture[];
  picture: Picture;
  onPick(picture: Picture): void;
}

function EarlierPictures({ earlier, picture, onPick }: EarlierPicturesProps) {
  const { t } = useTranslation('events');
  const chosen = picture.kind === 'stored' ? picture.ref.fileName : null;
  return (
    <>
      <h3 className={styles.heading}>{t('picture.earlier')}</h3>
      <ul className={styles.earlier}>
        {earlier.map(({ eventId, fileName, eventName }) => (
          <li key={fileName}>
            <button
              type="button"
              aria-pressed={chosen === fileName}
              onClick={() => onPick({ kind: 'stored', ref: { eventId, fileName } })}
            >
              <span className={styles.thumb}>
                <OwnPicture image={{ eventId, fileName }} seed={eventName} />
              </span>
              <span>{eventName}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
