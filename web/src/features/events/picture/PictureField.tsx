/** The event's picture as it stands, with the button that opens the dialog to choose another one. */
import { Button } from '@mantine/core';
import { IconPhotoEdit } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EarlierPicture } from '../eventsApi.ts';
import type { Picture } from './pictureFile.ts';
import { FormPicture } from './FormPicture.tsx';
import { PictureDialog } from './PictureDialog.tsx';
import styles from './PictureField.module.css';

export interface PictureFieldProps {
  picture: Picture;
  /** Decides which landscape is shown where there is no picture. */
  seed: string | number;
  earlier: readonly EarlierPicture[];
  disabled?: boolean;
  onPick(picture: Picture): void;
}

export function PictureField({ picture, seed, earlier, disabled = false, onPick }: PictureFieldProps) {
  const { t } = useTranslation('events');
  const [choosing, setChoosing] = useState(false);
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
      <PictureDialog
        opened={choosing}
        onClose={() => setChoosing(false)}
        picture={picture}
        earlier={earlier}
        onPick={onPick}
      />
    </div>
  );
}
