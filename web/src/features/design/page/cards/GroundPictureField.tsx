/**
 * The picture of the field: chosen from this device or dropped, previewed at once, uploaded when the design is saved.
 */
import { Button } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../../platform/i18n/app.ts';
import { useFileDrop } from '../../../../ui/controls/useFileDrop.ts';
import { Callout } from '../../../../ui/states/Callout.tsx';
import { PICTURE_TYPES, type PictureFault, pictureFault } from '../../../events/picture/index.ts';
import type { DraftPicture } from '../saving/designDraft.ts';
import styles from './GroundPictureField.module.css';

export interface GroundPictureFieldProps {
  picture: DraftPicture;
  /** Address of what is shown now; null while there is none. */
  address: string | null;
  onChange(picture: DraftPicture): void;
  disabled: boolean;
}

/** Reads a file as a picture. Returns its address in this browser, or what is wrong with it. */
async function open(file: File): Promise<{ address: string } | { fault: PictureFault }> {
  const fault = await pictureFault(file);
  if (fault !== null) return { fault };
  const address = URL.createObjectURL(file);
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
    return { address };
  } catch {
    URL.revokeObjectURL(address);
    return { fault: 'image_unreadable' };
  }
}

/**
 * Reads the file in the browser and refuses a file that is not a picture or too large (docs/product.md#14.8).
 * `onChange` gets it with an object URL.
 */
export function GroundPictureField({ picture, address, onChange, disabled }: GroundPictureFieldProps) {
  const { t } = useTranslation('design');
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [fault, setFault] = useState<PictureFault | null>(null);
  /** How often a picture was chosen or removed: a picture that is still being read is then dropped. */
  const choices = useRef(0);
  const take = async (file: File | undefined) => {
    if (!file || disabled) return;
    choices.current += 1;
    const mine = choices.current;
    const opened = await open(file);
    if (mine !== choices.current) {
      if ('address' in opened) URL.revokeObjectURL(opened.address);
      return;
    }
    if (input.current) input.current.value = '';
    setFault('fault' in opened ? opened.fault : null);
    if ('address' in opened) onChange({ kind: 'new', file, address: opened.address });
  };
  const drop = useFileDrop((file) => void take(file));
  const none = picture.kind === 'none';
  return (
    <fieldset className={styles.picture} disabled={disabled}>
      <legend>{t('picture.label')}</legend>
      <div className={styles.row} {...drop}>
        {none ? (
          <span className={styles.none} aria-hidden>
            <IconPhotoPlus size={28} stroke={1.5} />
          </span>
        ) : (
          <span className={styles.thumb}>{address && <img src={address} alt={t('picture.alt')} />}</span>
        )}
        <div className={styles.words}>
          <p>{t('picture.placement')}</p>
          <p>{t('picture.allowed')}</p>
          <div className={styles.acts}>
            <Button ref={button} size="sm" variant="default" onClick={() => input.current?.click()}>
              {none ? t('picture.add') : t('picture.other')}
            </Button>
            {none ? null : (
              <Button
                size="sm"
                variant="subtle"
                onClick={() => {
                  choices.current += 1;
                  setFault(null);
                  onChange({ kind: 'none' });
                  // The pressed button disappears.
                  button.current?.focus();
                }}
              >
                {t('picture.remove')}
              </Button>
            )}
          </div>
        </div>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept={PICTURE_TYPES.join(',')}
        aria-label={t('picture.choose')}
        onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
      />
      {fault ? (
        <Callout tone="fault" role="alert">
          {sayProblem(`problem.${fault}`)} {fault === 'payload_too_large' ? t('picture.allowed') : ''}
        </Callout>
      ) : null}
    </fieldset>
  );
}
