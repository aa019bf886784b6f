/** The event's current picture, with the button that opens the dialog to choose another one. */
import { Button } from '@mantine/core';
import { IconPhotoEdit } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart, OpenAfterMount, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { EarlierPicture } from '../eventsApi.ts';
import type { Picture } from './choose/chosenPicture.ts';
import { FormPicture } from './FormPicture.tsx';
import styles from './PictureField.module.css';

/** The dialog's code, for `useWarmUp`. */
export const eventPictureDialog = lazyPart(() =>
  import('./choose/EventPictureDialog.tsx').then((module) => module.EventPictureDialog),
);

export interface PictureFieldProps {
  picture: Picture;
  /** Decides which landscape is shown without a picture. */
  seed: string | number;
  earlier: readonly EarlierPicture[];
  disabled?: boolean;
  onPick(picture: Picture): void;
}

/** The picture of the event form and of the summary beside it. The dialog is fetched with the first press. */
export function PictureField({ picture, seed, earlier, disabled = false, onPick }: PictureFieldProps) {
  const { t } = useTranslation('events');
  const [choosing, setChoosing] = useState(false);
  const close = () => setChoosing(false);
  const dialog = useLazyPart(eventPictureDialog, choosing, close);
  return (
    <div className={styles.field}>
      <FormPicture picture={picture} seed={seed} />
      <Button
        variant="default"
        className={styles.button}
        disabled={disabled}
        leftSection={<IconPhotoEdit size={20} stroke={1.75} aria-hidden />}
        onClick={() => setChoosing(true)}
      >
        {picture.kind === 'none' ? t('picture.add') : t('picture.change')}
      </Button>
      {dialog && (
        <OpenAfterMount dialog={dialog} given={{ opened: choosing, onClose: close, picture, earlier, onPick }} />
      )}
    </div>
  );
}
